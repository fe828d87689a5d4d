"""Prints what a service sends to a subscriber: a line "ready", and then each event as JSON, until so many have come.

Usage: watch-service.py PORT KEY COUNT SUBSCRIPTION...
The connection is that of test-history.py."""

import asyncio
import importlib.util
import json
import os
import sys
import types

place = os.path.join(os.path.dirname(os.path.abspath(__file__)), "test-history.py")
specification = importlib.util.spec_from_file_location("history", place)
history = importlib.util.module_from_spec(specification)
sys.dont_write_bytecode = True
specification.loader.exec_module(history)
# What it waits for comes by itself; the caller of this has the watchdog.
history.TIMEOUT = 600


async def main(port, key, count, subscriptions):
    history.KEY = key
    socket = await history.Socket.open(types.SimpleNamespace(port=port))
    for number, query in enumerate(subscriptions):
        data = json.dumps({"query": "subscription { %s }" % query, "variables": {}})
        socket.send({"id": str(number), "type": "start", "payload": {
            "data": data, "extensions": {"authorization": {"x-api-key": key}}}})
        while (await socket.next())["type"] != "start_ack":
            pass
    print("ready", flush=True)
    while count > 0:
        message = await socket.next()
        if message["type"] == "data":
            print(json.dumps(message["payload"]["data"], separators=(",", ":")), flush=True)
            count -= 1


asyncio.run(main(int(sys.argv[1]), sys.argv[2], int(sys.argv[3]), sys.argv[4:]))
