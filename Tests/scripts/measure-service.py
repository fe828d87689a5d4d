"""Measures what a service costs on this machine, for docs/scaling.md: requests per second, processor time per request
in the service and in PostgreSQL, records per second of a first synchronization, memory of idle sockets, and the time
from a change to its subscribers. Processor times come from /proc and depend little on what else the machine does (Linux
only).

Usage: [with-postgresql] python3 measure-service.py PROGRAM STORE WHAT [NUMBER...]
PROGRAM is a release build of `holdfast`. STORE is sqlite, memory, postgresql, or postgresql2 for two processes.
WHAT and its numbers, one run each: requests CLIENTS, base RECORDS, sockets SOCKETS, events SUBSCRIBERS."""

import json
import multiprocessing
import os
import re
import selectors
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

SCHEMA = """type Item @model @auth(rules: [{ allow: public }]) { title: String! note: String count: Int done: Boolean }"""
KEY = "measure-key"
FIELDS = "id title note count done _version _deleted _lastChangedAt"
SECONDS = 8
TICK = os.sysconf("SC_CLK_TCK")


def http(body):
    body = json.dumps(body).encode()
    return (b"POST /graphql HTTP/1.1\r\nhost: service\r\nx-api-key: %s\r\ncontent-type: application/json\r\n"
            b"content-length: %d\r\n\r\n" % (KEY.encode(), len(body))) + body


def mutation(operation, **values):
    return http({"query": "mutation M($input: %sItemInput!) { record: %sItem(input: $input) { %s } }"
                 % (operation.capitalize(), operation, FIELDS), "variables": {"input": values}})


def connect(port):
    connection = socket.create_connection(("127.0.0.1", port))
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return connection


LENGTH = re.compile(rb"content-length: *(\d+)", re.I)


def answer_of(data):
    """The body of a whole answer; None if more is to come."""
    end = data.find(b"\r\n\r\n")
    if end < 0:
        return None
    length = int(LENGTH.search(data, 0, end).group(1))
    if len(data) < end + 4 + length:
        return None
    if not data.startswith(b"HTTP/1.1 200") or b'"errors"' in data[end:end + 200]:
        raise SystemExit("a request failed: %r" % data[:600])
    return data[end + 4:]


def ask(connection, request):
    connection.sendall(request)
    data = b""
    while True:
        part = connection.recv(1 << 20)
        if not part:
            raise SystemExit("the service has closed a connection")
        data += part
        body = answer_of(data)
        if body is not None:
            return body


class Service:
    def __init__(self, program, store):
        self.directory = tempfile.mkdtemp(prefix="holdfast-measure.")
        kind = store.rstrip("2")
        address = {"memory": "memory", "sqlite": "sqlite:" + self.directory + "/store.sqlite",
                   "postgresql": os.environ.get("HOLDFAST_POSTGRESQL_URL", "") + "&schema=" + os.path.basename(self.directory).replace(".", "_")}[kind]
        self.uses_database = kind == "postgresql"
        with open(self.directory + "/schema.graphql", "w") as file:
            file.write(SCHEMA)
        self.processes, self.ports = [], []
        for number in range(2 if store.endswith("2") else 1):
            output = self.directory + "/out%d" % number
            with open(output, "wb") as out:
                self.processes.append(subprocess.Popen(
                    [program, "serve", "--schema", self.directory + "/schema.graphql", "--store", address, "--data",
                     self.directory, "--port", "0", "--json", "--conflict", "Item=optimistic", "--no-purge"],
                    stdout=out, env=dict(os.environ, HOLDFAST_API_KEYS=KEY)))
            while not open(output).read().rstrip().endswith("}"):
                if self.processes[-1].poll() is not None:
                    raise SystemExit("the service does not start")
                time.sleep(0.02)
            self.ports.append(int(json.load(open(output))["endpoint"].split(":")[2].split("/")[0]))

    def stop(self):
        for process in self.processes:
            process.send_signal(signal.SIGTERM)
            process.wait()
        shutil.rmtree(self.directory)

    def seconds(self):
        """Processor time of the service so far."""
        return sum(used(process.pid) for process in self.processes)

    def database_seconds(self):
        if not self.uses_database:
            return 0
        directory = os.path.dirname(os.environ["HOLDFAST_POSTGRESQL_CONTROL"])
        first = open(directory + "/data/postmaster.pid").readline().strip()
        # Ended children count in their parent.
        children = open("/proc/%s/task/%s/children" % (first, first)).read().split()
        return used(first, True) + sum(used(child) for child in children)

    def memory(self):
        """Resident bytes."""
        return sum(int(re.search(r"VmRSS:\s+(\d+)", open("/proc/%d/status" % process.pid).read()).group(1)) * 1024
                   for process in self.processes)


def used(process, with_children=False):
    parts = open("/proc/%s/stat" % process).read().rsplit(")", 1)[1].split()
    return sum(int(part) for part in parts[11:15 if with_children else 13]) / TICK


def measured(service, count, work):
    """Runs work; says how long it took and what it cost, for each of `count()` things."""
    before = service.seconds(), service.database_seconds(), time.monotonic()
    work()
    duration = time.monotonic() - before[2]
    done = count()
    return "%d/s, %.0f us of the service and %.0f us of the database each" % (
        done / duration, (service.seconds() - before[0]) / done * 1e6,
        (service.database_seconds() - before[1]) / done * 1e6)


# Requests

def drive(ports, clients, number, kind, end, results):
    """One process of clients, each with one request in flight."""
    selector, states = selectors.DefaultSelector(), []
    for client in range(clients):
        connection = connect(ports[client % len(ports)])
        key = "%d-%d" % (number, client)
        if kind != "create":
            ask(connection, mutation("create", id=kind + key, title="title", note="a note of some words", count=1))
        states.append([connection, kind + key, 1, b""])
        selector.register(connection, selectors.EVENT_READ, states[-1])
    done, stops = 0, time.monotonic() + end

    def request(state):
        if kind == "create":
            return mutation("create", id="%s-%d" % (state[1], state[2]), title="title", note="a note of some words", count=1)
        if kind == "update":
            return mutation("update", id=state[1], title="title %d" % state[2], _version=state[2])
        return http({"query": "query G($id: ID!) { getItem(id: $id) { %s } }" % FIELDS, "variables": {"id": state[1]}})

    for state in states:
        state[0].sendall(request(state))
    waiting = len(states)
    while waiting:
        for event, _ in selector.select():
            state = event.data
            state[3] += state[0].recv(1 << 16)
            if answer_of(state[3]) is None:
                continue
            state[2] += 1
            state[3] = b""
            if time.monotonic() < stops:
                done += 1
                state[0].sendall(request(state))
            else:
                waiting -= 1
    results.put(done)


def requests(service, clients):
    for kind in ("create", "update", "get"):
        results = multiprocessing.Queue()
        count = []

        def work():
            drivers = [multiprocessing.Process(target=drive, args=(service.ports, clients // 2, n, kind, SECONDS, results))
                       for n in range(2)]
            for driver in drivers:
                driver.start()
            count.append(sum(results.get() for _ in drivers))
            for driver in drivers:
                driver.join()

        print("  %s, %d clients: %s" % (kind, clients, measured(service, lambda: count[0], work)), flush=True)


# A first synchronization

def fill(service, records):
    connection = connect(service.ports[0])
    for start in range(0, records, 100):
        fields = " ".join('m%d: createItem(input: {id: "%06d", title: "title of %d", note: "a note of some words", count: %d})'
                          " { id }" % (n, n, n, n) for n in range(start, min(start + 100, records)))
        ask(connection, http({"query": "mutation M { %s }" % fields}))


def base(service, records):
    fill(service, records)
    query = ("query S($last: AWSTimestamp, $token: String) { syncItems(limit: 1000, lastSync: $last, nextToken: $token) "
             "{ items { %s } nextToken startedAt } }" % FIELDS)
    connection, found = connect(service.ports[0]), []

    def work(last=None):
        token = None
        while True:
            page = json.loads(ask(connection, http(
                {"query": query, "variables": {"last": last, "token": token}})))["data"]["syncItems"]
            found.append(len(page["items"]))
            token = page["nextToken"]
            if token is None:
                return page["startedAt"]

    started = work()
    time.sleep(1.5)
    found.clear()
    print("  base query of %d records: %s" % (records, measured(service, lambda: sum(found), lambda: work())), flush=True)
    started = work()
    for number in range(100):
        ask(connection, mutation("update", id="%06d" % number, title="new", _version=1))
    times = []
    for _ in range(30):
        found.clear()
        begin = time.monotonic()
        work(started)
        times.append(time.monotonic() - begin)
    print("  delta query of %d among %d records: %.1f ms at best, with the client" % (
        sum(found), records, min(times) * 1000), flush=True)


# Sockets

def frame(value):
    data = json.dumps(value).encode()
    length = bytes([0x80 | len(data)]) if len(data) < 126 else b"\xfe" + len(data).to_bytes(2, "big")
    # A mask of zeros leaves the data as it is.
    return b"\x81" + length + bytes(4) + data


def subscribe(port, names):
    connection = connect(port)
    connection.sendall(b"GET /graphql/realtime HTTP/1.1\r\nhost: service\r\nupgrade: websocket\r\nconnection: upgrade\r\n"
                       b"sec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
                       b"sec-websocket-protocol: graphql-ws\r\nx-api-key: %s\r\n\r\n" % KEY.encode())
    connection.sendall(frame({"type": "connection_init"}))
    for name in names:
        connection.sendall(frame({"id": name, "type": "start", "payload": {
            "data": json.dumps({"query": "subscription S { on%sItem { %s } }" % (name, FIELDS)}),
            "extensions": {"authorization": {"x-api-key": KEY}}}}))
    data = b""
    while data.count(b"start_ack") < len(names):
        data += connection.recv(1 << 16)
    return connection


def sockets(service, count):
    before = service.memory()
    connections = [subscribe(service.ports[number % len(service.ports)], ("Create", "Update", "Delete"))
                   for number in range(count)]
    time.sleep(2)
    after, seconds = service.memory(), service.seconds()
    time.sleep(10)
    print("  %d idle sockets with 3 subscriptions: %.0f MB before, %.0f MB with them, %.1f KB each, %.2f%% of a core" % (
        count, before / 1e6, after / 1e6, (after - before) / count / 1e3, (service.seconds() - seconds) * 10), flush=True)
    for connection in connections:
        connection.close()


def events(service, count):
    """Changes one after the other, each seen by all subscribers."""
    selector = selectors.DefaultSelector()
    connections = [subscribe(service.ports[-1 - number % len(service.ports)], ("Create",)) for number in range(count)]
    for connection in connections:
        connection.setblocking(False)
        selector.register(connection, selectors.EVENT_READ)
    writer, delays, turns = connect(service.ports[0]), [], 40

    def work():
        for turn in range(turns):
            begin, waiting = time.monotonic(), count
            writer.sendall(mutation("create", id="%d-%d" % (count, turn), title="title", count=1))
            while waiting:
                for event, _ in selector.select():
                    seen = event.fileobj.recv(1 << 16).count(b'"type":"data"')
                    waiting -= seen
                    delays.extend([time.monotonic() - begin] * seen)
            while answer_of(writer.recv(1 << 16)) is None:
                pass

    text = measured(service, lambda: turns * count, work)
    delays.sort()
    print("  events for %d subscribers: p50 %.1f ms, p99 %.1f ms, %s" % (
        count, delays[len(delays) // 2] * 1000, delays[len(delays) * 99 // 100] * 1000, text), flush=True)
    for connection in connections:
        connection.close()


def main():
    program, store, what = sys.argv[1:4]
    print("%s, %s, load %s, %d processors" % (store, what, os.getloadavg()[0], os.cpu_count()), flush=True)
    for number in sys.argv[4:]:
        service = Service(program, store)
        try:
            {"requests": requests, "base": base, "sockets": sockets, "events": events}[what](service, int(number))
        finally:
            service.stop()


main()
