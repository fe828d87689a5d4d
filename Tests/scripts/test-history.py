"""Checks what clients see of two services on one PostgreSQL store while services are killed, paused, and replaced one by
one by those of another schema, and the database is restarted. Writers change records with version checks, through both
services; devices subscribe, and query what changed after each connection. Everything that they see is recorded and
checked:

- no acknowledged change is lost, and no refused change happens
- a version has one content: for every client, through every service
- versions rise by one, and none overwrites a change that its client had not seen
- what was acknowledged is in every answer to a request that is sent later
- a connection delivers each event once, and the events of a record in the order of its versions
- a device with an open connection has everything in the end, without another query

Usage: with-postgresql python3 test-history.py PROGRAM [SECONDS [SEED]]
PROGRAM is a `holdfast` with the traits PostgreSQL and Server. Without SECONDS it runs each fault once; with it, faults in
a random order for that long. Under with-pgbouncer the services use the pool, and HOLDFAST_HISTORY_FAULTS has the kinds of
faults to run once each, separated by commas."""

import asyncio
import base64
import collections
import itertools
import json
import os
import random
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time

SCHEMA = """type Counter @model @auth(rules: [{ allow: public }]) {
  id: ID!
  text: String!
  count: Int!
}
"""
# What a later version of the application adds.
ADDITION = """  note: String
}
type Label @model @auth(rules: [{ allow: public }]) {
  id: ID!
  text: String!
}
"""
KEY = "history-key"
FIELDS = "id text count _version _deleted"
# Outcomes after which nothing was written. After any other error a client must look.
REFUSALS = {"ConflictUnhandled", "ConditionalCheckFailedException", "MaxConflicts"}
SHARED = ["shared-%d" % number for number in range(8)]
WRITERS, DEVICES = 6, 4
# How long a client waits before it gives a request up; what became of it is then unknown.
TIMEOUT = 4
# Only watchdogs: what they wait for comes by itself.
LONGEST_START, LONGEST_SETTLING = 300, 300


class Unanswered(Exception):
    """There is no answer, so the request may have been carried out, or will be."""


class History:
    """What clients did and saw, checked as far as possible when it comes in."""

    def __init__(self):
        self.problems = []
        self.counts = collections.Counter()
        self.contents = {}  # (key, version) -> content
        self.places = {}  # (text, deleted) -> (key, version)
        self.refused = set()
        self.acknowledged = {}  # key -> version
        self.tried = collections.Counter()

    def wrong(self, text):
        self.problems.append(text)

    def seen(self, row):
        """A record in an answer or in an event."""
        place = (row["id"], row["_version"])
        content = (row["text"], row["count"], bool(row["_deleted"]))
        if self.contents.setdefault(place, content) != content:
            self.wrong("version %s has two contents: %s and %s" % (place, self.contents[place], content))
        other = self.places.setdefault((content[0], content[2]), place)
        if other != place:
            self.wrong("a change was made twice: %s is in %s and in %s" % (content[0], other, place))
        if content[0] in self.refused:
            self.wrong("a refused change happened: %s is in %s" % (content[0], place))

    def floor(self, key):
        """The version that a request which is sent now must see."""
        return self.acknowledged.get(key, 0)

    def read(self, key, floor, row):
        """The answer of a query that was sent when `floor` was acknowledged."""
        if row:
            self.seen(row)
        version = row["_version"] if row else 0
        if version < floor:
            self.wrong("%s is read as version %d after version %d was acknowledged" % (key, version, floor))

    def acknowledge(self, key, base, row):
        """A change of version `base` was acknowledged."""
        self.seen(row)
        self.counts["acknowledged"] += 1
        if row["id"] != key or row["_version"] != base + 1:
            self.wrong("a change of version %d of %s made %s" % (base, key, row))
        self.acknowledged[key] = max(self.acknowledged.get(key, 0), row["_version"])

    def refuse(self, text):
        """A change was refused; a deletion brings no text, so that it cannot be recognized."""
        self.counts["refused"] += 1
        if text:
            self.refused.add(text)
        if (text, False) in self.places:
            self.wrong("a refused change happened: %s" % text)

    def finish(self, truth):
        """All records in the end."""
        for row in truth.values():
            self.seen(row)
        for key, version in self.acknowledged.items():
            if key not in truth or truth[key]["_version"] < version:
                self.wrong("version %d of %s was acknowledged, and is lost" % (version, key))
        for place in self.contents:
            if place[0] not in truth or place[1] > truth[place[0]]["_version"]:
                self.wrong("version %d of %s was seen, and is lost" % (place[1], place[0]))
        for key in SHARED:
            row = truth.get(key)
            if row and row["count"] != row["_version"] - 1:
                self.wrong("a change of %s was overwritten: %d changes, %d counted"
                           % (key, row["_version"] - 1, row["count"]))
            if row and row["count"] > self.tried[key]:
                self.wrong("%s was changed more often than tried" % key)


def check_the_checks():
    """Each mistake in a history must be found."""
    def row(version, text="a", count=None, key="shared-0", deleted=None):
        count = version - 1 if count is None else count
        return {"id": key, "text": text, "count": count, "_version": version, "_deleted": deleted}

    mistakes = {
        "two contents": lambda h: (h.seen(row(1)), h.seen(row(1, "b"))),
        "made twice": lambda h: (h.seen(row(1)), h.seen(row(2))),
        "refused change": lambda h: (h.refuse("a"), h.seen(row(1))),
        "a refused change": lambda h: (h.seen(row(1)), h.refuse("a")),
        "is read as version 1": lambda h: (h.acknowledge("shared-0", 1, row(2)), h.read("shared-0", 2, row(1, "b"))),
        "is read as version 0": lambda h: h.read("shared-0", 2, None),
        "a change of version 1": lambda h: h.acknowledge("shared-0", 1, row(3)),
        "acknowledged, and is lost": lambda h: (h.acknowledge("shared-0", 1, row(2)), h.finish({})),
        "seen, and is lost": lambda h: (h.seen(row(2)), h.finish({"shared-0": row(1, "b")})),
        "overwritten": lambda h: h.finish({"shared-0": row(3, count=1)}),
        "more often than tried": lambda h: h.finish({"shared-0": row(3)}),
    }
    for text, make in mistakes.items():
        history = History()
        make(history)
        assert any(text in problem for problem in history.problems), "the checks do not find: " + text


class Service:
    """A process of the service, which always listens on the same port."""

    def __init__(self, program, directory, name, store, options):
        self.program, self.directory, self.name, self.port = program, directory, name, 0
        self.store, self.options = store + "&schema=history", options
        self.schema, self.process = "schema.graphql", None

    async def start(self):
        environment = dict(os.environ, HOLDFAST_API_KEYS=KEY)
        output = os.path.join(self.directory, self.name + ".out")
        deadline = time.monotonic() + LONGEST_START
        while time.monotonic() < deadline:
            with open(output, "wb") as out, open(os.path.join(self.directory, self.name + ".err"), "ab") as log:
                self.process = subprocess.Popen(
                    [self.program, "serve", "--schema", os.path.join(self.directory, self.schema), "--store", self.store,
                     "--conflict", "Counter=optimistic", "--data", os.path.join(self.directory, "data"),
                     "--port", str(self.port), "--json", "--no-purge", *self.options],
                    stdin=subprocess.DEVNULL, stdout=out, stderr=log, env=environment)
            while self.process.poll() is None:
                await asyncio.sleep(0.02)
                with open(output) as out:
                    text = out.read()
                if text.rstrip().endswith("}"):
                    self.port = int(json.loads(text)["endpoint"].split(":")[2].split("/")[0])
                    return
            # Without a database it ends; whatever runs services starts them again.
            await asyncio.sleep(0.2)
        raise SystemExit("service %s does not start; see %s" % (self.name, self.directory))

    def kill(self):
        self.process.kill()
        self.process.wait()

    def signal(self, number):
        self.process.send_signal(number)

    async def terminate(self):
        """Ends in order: what is in progress is answered first."""
        self.signal(signal.SIGTERM)
        while self.process.poll() is None:
            await asyncio.sleep(0.02)
        return self.process.returncode


class Requests:
    """Requests of one client, through a connection for each service."""

    def __init__(self, services, choose):
        self.services, self.choose, self.streams = services, choose, {}

    async def send(self, query, **variables):
        """The data and the errors of an answer of any service."""
        service = self.choose(self.services)
        body = json.dumps({"query": query, "variables": variables}).encode()
        try:
            return await asyncio.wait_for(self.exchange(service, body), TIMEOUT)
        except (OSError, EOFError, ValueError, asyncio.TimeoutError, asyncio.IncompleteReadError) as error:
            self.close(service)
            raise Unanswered(repr(error))

    async def exchange(self, service, body):
        if service not in self.streams:
            self.streams[service] = await asyncio.open_connection("127.0.0.1", service.port)
        reader, writer = self.streams[service]
        writer.write(b"POST /graphql HTTP/1.1\r\nhost: 127.0.0.1:%d\r\nx-api-key: %s\r\n"
                     b"content-type: application/json\r\ncontent-length: %d\r\n\r\n%s"
                     % (service.port, KEY.encode(), len(body), body))
        head = (await reader.readuntil(b"\r\n\r\n")).decode().lower().split("\r\n")
        length = next(int(line.split(":")[1]) for line in head if line.startswith("content-length:"))
        answer = json.loads(await reader.readexactly(length))
        if head[0].split()[1] != "200":
            raise ValueError("status " + head[0])
        return answer.get("data") or {}, answer.get("errors") or []

    def close(self, service):
        if service in self.streams:
            self.streams.pop(service)[1].close()

    async def query(self, query, **variables):
        """The data of an answer without errors."""
        data, errors = await self.send(query, **variables)
        if errors:
            raise Unanswered(json.dumps(errors))
        return data


class Socket:
    """A WebSocket that speaks the protocol of subscriptions."""

    def __init__(self, reader, writer):
        self.reader, self.writer = reader, writer

    @staticmethod
    async def open(service):
        socket = Socket(*await asyncio.wait_for(asyncio.open_connection("127.0.0.1", service.port), TIMEOUT))
        try:
            await asyncio.wait_for(socket.begin(service), TIMEOUT)
        except BaseException:
            socket.writer.close()
            raise
        return socket

    async def begin(self, service):
        self.writer.write(b"GET /graphql/realtime HTTP/1.1\r\nhost: 127.0.0.1:%d\r\nupgrade: websocket\r\n"
                          b"connection: upgrade\r\nsec-websocket-version: 13\r\nsec-websocket-key: %s\r\n"
                          b"sec-websocket-protocol: graphql-ws\r\nx-api-key: %s\r\n\r\n"
                          % (service.port, base64.b64encode(os.urandom(16)), KEY.encode()))
        head = await self.reader.readuntil(b"\r\n\r\n")
        if b" 101 " not in head.split(b"\r\n")[0]:
            raise EOFError("there is no WebSocket: %r" % head)
        self.send({"type": "connection_init"})
        if (await self.next())["type"] != "connection_ack":
            raise EOFError("the connection is refused")

    def send(self, value):
        self.write(1, json.dumps(value).encode())

    def write(self, opcode, data):
        mask = os.urandom(4)
        length = bytes([0x80 | len(data)]) if len(data) < 126 else b"\xfe" + struct.pack(">H", len(data))
        self.writer.write(bytes([0x80 | opcode]) + length + mask
                          + bytes(byte ^ mask[index % 4] for index, byte in enumerate(data)))

    async def next(self):
        """The next message; throws when there are no more."""
        while True:
            head = await self.reader.readexactly(2)
            length = head[1] & 0x7F
            if length == 126:
                length = struct.unpack(">H", await self.reader.readexactly(2))[0]
            elif length == 127:
                length = struct.unpack(">Q", await self.reader.readexactly(8))[0]
            data = await self.reader.readexactly(length)
            opcode = head[0] & 0x0F
            if opcode == 1:
                return json.loads(data)
            if opcode == 8:
                raise EOFError("the connection was closed")
            if opcode == 9:
                self.write(10, data)


class World:
    """Two services, their clients, and what goes wrong."""

    def __init__(self, program, directory, seed, store, options=()):
        self.random = random.Random(seed)
        self.directory = directory
        self.services = [Service(program, directory, name, store, options) for name in ("a", "b")]
        self.history = History()
        self.numbers = itertools.count(1)
        self.is_over = False

    def requests(self):
        return Requests(self.services, self.random.choice)

    def text(self):
        return "change-%d" % next(self.numbers)

    # Writers

    async def mutate(self, requests, operation, key, base, **values):
        """Changes a record; returns the new one, and nothing if the change was refused or its outcome is unknown."""
        history, text = self.history, values.get("text")
        query = "mutation M($input: %sCounterInput!) { record: %sCounter(input: $input) { %s } }" % (
            operation.capitalize(), operation, FIELDS)
        values["id"] = key
        if base:
            values["_version"] = base
        history.tried[key] += 1
        try:
            data, errors = await requests.send(query, input=values)
        except Unanswered:
            history.counts["unknown"] += 1
            return None
        if data.get("record"):
            history.acknowledge(key, base, data["record"])
            return data["record"]
        if errors and errors[0].get("errorType") in REFUSALS:
            if errors[0].get("data"):
                history.seen(errors[0]["data"])
            history.refuse(text)
        else:
            history.counts["unknown"] += 1
        return None

    async def get(self, requests, key):
        floor = self.history.floor(key)
        row = (await requests.query("query G($id: ID!) { getCounter(id: $id) { %s } }" % FIELDS, id=key))["getCounter"]
        self.history.read(key, floor, row)
        return row

    async def created(self, requests, key):
        """Whether a record is there; creates it if not, which may have to be tried again."""
        try:
            if await self.get(requests, key):
                return True
        except Unanswered:
            return False
        return await self.mutate(requests, "create", key, 0, text=self.text(), count=0) is not None

    async def write(self, number):
        requests, own = self.requests(), []
        while not self.is_over:
            try:
                if self.random.random() < 0.5:
                    key = self.random.choice(SHARED)
                    row = await self.get(requests, key)
                    await self.mutate(
                        requests, "update", key, row["_version"], text=self.text(), count=row["count"] + 1)
                elif not own or self.random.random() < 0.4:
                    key = "own-%d-%d" % (number, len(own))
                    own.append(key)
                    await self.mutate(requests, "create", key, 0, text=self.text(), count=0)
                else:
                    key = self.random.choice(own)
                    row = await self.get(requests, key)
                    if not row or row["_deleted"]:
                        continue
                    if self.random.random() < 0.2:
                        await self.mutate(requests, "delete", key, row["_version"])
                    else:
                        await self.mutate(requests, "update", key, row["_version"], text=self.text())
            except Unanswered:
                self.history.counts["unanswered queries"] += 1
                await asyncio.sleep(0.02)

    # Devices

    async def pages(self, requests, last):
        """All records, or what was written since `last`; and the time to ask from next."""
        rows, token, started = [], None, None
        while True:
            data = await requests.query(
                "query S($last: AWSTimestamp, $token: String) { syncCounters(limit: 100, lastSync: $last, "
                "nextToken: $token) { items { %s } nextToken startedAt } }" % FIELDS, last=last, token=token)
            page = data["syncCounters"]
            rows += page["items"]
            started, token = started or page["startedAt"], page["nextToken"]
            if token is None:
                return rows, started

    # Faults

    async def fault(self, kind, pause):
        self.history.counts[kind] += 1
        service = self.random.choice(self.services)
        if kind == "kill":
            service.kill()
            await asyncio.sleep(pause)
            await service.start()
        elif kind == "pause":
            service.signal(signal.SIGSTOP)
            await asyncio.sleep(pause)
            service.signal(signal.SIGCONT)
        elif kind == "upgrade":
            # There and back: for a while, a service with the old schema and one with the new have the same store.
            schema = "added.graphql" if service.schema == "schema.graphql" else "schema.graphql"
            for service in self.services:
                code = await service.terminate()
                if code != 0:
                    self.history.wrong("a service that was asked to end exited with %d" % code)
                service.schema = schema
                await service.start()
                await asyncio.sleep(pause)
        else:
            await self.control_database("stop")
            await asyncio.sleep(pause)
            await self.control_database("start")
            if kind == "restart and kill":
                service.kill()
                await service.start()

    async def control_database(self, verb):
        process = await asyncio.create_subprocess_exec(
            os.environ["HOLDFAST_POSTGRESQL_CONTROL"], verb, stdin=subprocess.DEVNULL)
        if await process.wait() != 0:
            raise SystemExit("PostgreSQL does not " + verb)

    async def faults(self, seconds):
        if seconds is None:
            for kind, pause in [("upgrade", 1), ("kill", 1), ("pause", 3), ("restart", 0), ("kill", 0),
                                ("restart and kill", 0), ("upgrade", 0)]:
                if os.environ.get("HOLDFAST_HISTORY_FAULTS", kind).split(",").count(kind) == 0:
                    continue
                await asyncio.sleep(1.5)
                await self.fault(kind, pause)
            await asyncio.sleep(1.5)
            return
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            kind = self.random.choice(["kill", "pause", "restart", "restart and kill", "upgrade"])
            # Longer than a client of the database waits for it, and at times a minute.
            pause = self.random.choice([0, 1, 8, 60] if kind == "pause" else [0, 1, 8])
            await self.fault(kind, min(pause, max(0, end - time.monotonic())))
            await asyncio.sleep(self.random.uniform(0.5, 6))

    # All of it

    async def run(self, seconds):
        for name, text in (("schema", SCHEMA), ("added", SCHEMA.replace("}\n", ADDITION))):
            with open(os.path.join(self.directory, name + ".graphql"), "w") as file:
                file.write(text)
        for service in self.services:
            await service.start()
        requests = self.requests()
        deadline = time.monotonic() + LONGEST_START
        for key in SHARED:
            # The first requests may take long, so that nothing is known of their records.
            while not await self.created(requests, key):
                if time.monotonic() > deadline:
                    raise SystemExit("the first records cannot be created")
        devices = [Device(self, number) for number in range(DEVICES)]
        tasks = [asyncio.ensure_future(device.run()) for device in devices]
        writers = [asyncio.ensure_future(self.write(number)) for number in range(WRITERS)]
        # So that what the first fault cuts off has queried before, and asks for changes when it is back.
        deadline = time.monotonic() + LONGEST_START
        while not all(device.is_live for device in devices):
            if time.monotonic() > deadline:
                raise SystemExit("the devices do not become live; see %s" % self.directory)
            await asyncio.sleep(0.02)
        started = time.monotonic()
        await self.faults(seconds)
        self.is_over = True
        await asyncio.gather(*writers)
        self.history.counts["seconds"] = round(time.monotonic() - started)
        await self.compare(requests, devices, tasks)

    async def compare(self, requests, devices, tasks):
        # A request without an answer may still be carried out; none waits longer than a client of the database.
        truth = {}
        deadline = time.monotonic() + LONGEST_SETTLING
        while True:
            for task in tasks:
                if task.done():
                    task.result()
            try:
                rows, _ = await self.pages(requests, None)
                truth = {row["id"]: row for row in rows}
            except Unanswered:
                pass
            behind = [device for device in devices if not device.is_live or self.differences(device, truth)]
            if truth and not behind or time.monotonic() > deadline:
                break
            await asyncio.sleep(0.2)
        for device in behind:
            missed = self.differences(device, truth)
            self.history.wrong("a device with %s connection has %d other records: %s" % (
                "an open" if device.is_live else "no", len(missed),
                [(key, device.rows.get(key), truth.get(key)) for key in missed[:3]]))
        for task in tasks:
            task.cancel()
        self.history.finish(truth)
        counts = self.history.counts
        for name in ("acknowledged", "refused", "events", "connections", "changes by query"):
            if not counts[name]:
                self.history.wrong("there were no %s, so the run shows little" % name)
        if counts["connections"] <= DEVICES:
            self.history.wrong("no device had to connect again, so the run shows little")

    def differences(self, device, truth):
        """The keys of records that a device has in another version than the service, or not."""
        return [key for key in {**truth, **device.rows} if device.rows.get(key) != truth.get(key)]

    def close(self):
        for service in self.services:
            if service.process and service.process.poll() is None:
                service.signal(signal.SIGCONT)
                service.kill()


class Device:
    """A client that follows the protocol: subscribe, query what changed, then take events while the connection is open."""

    def __init__(self, world, number):
        self.world, self.rows, self.last, self.is_live = world, {}, None, False
        self.requests = world.requests()
        # Each service has devices at first, so that the first one that is killed cuts some of them off.
        self.service = world.services[number % len(world.services)]

    async def run(self):
        while True:
            socket = None
            try:
                socket = await Socket.open(self.service)
                await self.follow(socket)
            except (OSError, EOFError, asyncio.TimeoutError, asyncio.IncompleteReadError, Unanswered):
                pass
            finally:
                self.is_live = False
                if socket:
                    socket.writer.close()
            self.service = self.world.random.choice(self.world.services)
            await asyncio.sleep(0.05)

    async def follow(self, socket):
        for name in ("Create", "Update", "Delete"):
            data = json.dumps({"query": "subscription S { record: on%sCounter { %s } }" % (name, FIELDS)})
            socket.send({"id": name, "type": "start", "payload": {
                "data": data, "extensions": {"authorization": {"x-api-key": KEY}}}})
        accepted = asyncio.get_running_loop().create_future()
        reading = asyncio.ensure_future(self.read(socket, accepted))
        try:
            await asyncio.wait([reading, accepted], timeout=TIMEOUT, return_when=asyncio.FIRST_COMPLETED)
            if not accepted.done():
                return
            self.world.history.counts["connections"] += 1
            rows, started = await self.world.pages(self.requests, self.last)
            if self.last is not None:
                self.world.history.counts["changes by query"] += len(rows)
                if started < self.last:
                    self.world.history.wrong("the time to ask from went back from %d to %d" % (self.last, started))
            for row in rows:
                self.take(row)
            self.last, self.is_live = started, True
            await reading
        finally:
            reading.cancel()
            accepted.cancel()
            await asyncio.wait([reading])

    async def read(self, socket, accepted):
        history, started, events, newest = self.world.history, set(), set(), {}
        while True:
            message = await socket.next()
            kind = message["type"]
            if kind == "start_ack":
                started.add(message["id"])
                if len(started) == 3 and not accepted.done():
                    accepted.set_result(None)
            elif kind == "data":
                row = message["payload"]["data"]["record"]
                history.counts["events"] += 1
                event = (message["id"], row["id"], row["_version"])
                if event in events:
                    history.wrong("a connection delivered an event twice: %s" % (event,))
                events.add(event)
                if newest.get(row["id"], 0) > row["_version"]:
                    history.wrong("a connection delivered %s after version %d" % (event, newest[row["id"]]))
                newest[row["id"]] = row["_version"]
                self.take(row)
            elif kind != "ka":
                history.wrong("a connection delivered %s" % message)

    def take(self, row):
        self.world.history.seen(row)
        if row["_version"] > self.rows.get(row["id"], {"_version": 0})["_version"]:
            self.rows[row["id"]] = row


def address():
    """The store of the services: the server, or the server behind the pool that with-pgbouncer started."""
    server, pool = os.environ["HOLDFAST_POSTGRESQL_URL"], os.environ.get("HOLDFAST_POSTGRESQL_POOL_URL")
    return pool + "&pooling=transaction&direct=" + server if pool else server


def main():
    check_the_checks()
    seconds = float(sys.argv[2]) if len(sys.argv) > 2 else None
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else random.SystemRandom().randrange(1 << 32)
    directory = tempfile.mkdtemp(prefix="holdfast-history.")
    world = World(os.path.abspath(sys.argv[1]), directory, seed, address())
    try:
        asyncio.run(world.run(seconds))
    finally:
        world.close()
    report(world, seed)


def report(world, seed):
    print("seed %d: %s" % (seed, dict(world.history.counts)))
    if world.history.problems:
        problems = world.history.problems
        print("\n".join(problems[:20]))
        print("%d problems; logs are in %s" % (len(problems), world.directory))
        sys.exit(1)
    shutil.rmtree(world.directory)


if __name__ == "__main__":
    main()
