// The place in Swift's runtime through which jobs without an executor go. It is not looked up by its name, which is
// hidden where the runtime is part of the program.
// https://github.com/swiftlang/swift/blob/main/include/swift/Runtime/Concurrency.h
#pragma once

extern void *swift_task_enqueueGlobal_hook;

static inline void **holdfast_enqueue_hook(void) { return &swift_task_enqueueGlobal_hook; }
