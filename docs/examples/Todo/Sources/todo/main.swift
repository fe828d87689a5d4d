import Foundation

guard CommandLine.arguments.count == 2 else {
    print("usage: todo NAME    for instance: todo phone")
    exit(64)
}
do {
    let device = try await Device(CommandLine.arguments[1])
    await device.run(Terminal.lines())
    try await device.close()
} catch {
    print("todo: \(error)")
    exit(1)
}
