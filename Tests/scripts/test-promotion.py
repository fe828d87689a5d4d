"""Checks what clients see of two services while the primary of their PostgreSQL database is killed and a replica takes over.

- synchronous: the replica has every acknowledged commit. All that test-history.py checks must hold.
- asynchronous: the replica lacks the last acknowledged commits. Services must notice, and renew all versions before they
  serve again: no version has two contents, also of those that were lost; what is read later has later versions; and
  devices, which are ahead of the replica, end with what the services have.

Under with-pgbouncer the services use the pool, which is notified of the new primary, so that their connections stay.

Usage: with-postgresql [with-pgbouncer SIZE] python3 test-promotion.py PROGRAM synchronous|asynchronous [SEED]
PROGRAM is a `holdfast` with the traits PostgreSQL and Server. The server of with-postgresql is the primary."""

import asyncio
import importlib.util
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

here = os.path.dirname(os.path.abspath(__file__))
specification = importlib.util.spec_from_file_location("history", os.path.join(here, "test-history.py"))
history = importlib.util.module_from_spec(specification)
specification.loader.exec_module(history)


class Servers:
    """The primary, which exists, and a replica of it."""

    def __init__(self):
        self.primary = os.environ["HOLDFAST_POSTGRESQL_URL"]
        self.primary_directory = self.primary.split("host=")[1]
        self.programs = self.ask(self.primary, "SELECT setting FROM pg_config WHERE name = 'BINDIR'")
        # A socket's path may have about 100 bytes, so TMPDIR is not used.
        self.directory = tempfile.mkdtemp(prefix="holdfast-replica.", dir="/tmp")
        self.data = os.path.join(self.directory, "data")
        self.as_owner = []
        if os.getuid() == 0:
            # The server refuses to run as root.
            shutil.chown(self.directory, "postgres")
            self.as_owner = ["setpriv", "--reuid", "postgres", "--regid", "postgres", "--init-groups"]
        self.replica = "postgresql://holdfast@/postgres?host=" + self.directory
        # Whichever is the primary, as libpq finds it.
        self.address = "postgresql://holdfast@/postgres?host=%s,%s&target_session_attrs=read-write" % (
            self.primary_directory, self.directory)
        self.pool = os.environ.get("HOLDFAST_POSTGRESQL_POOL_URL")
        if self.pool:
            self.address = self.pool + "&pooling=transaction"

    def ask(self, address, sql):
        answer = subprocess.run(
            ["psql", "-qAtX", "-v", "ON_ERROR_STOP=1", "-d", address, "-c", sql], stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, check=True)
        return answer.stdout.decode().strip()

    def run(self, program, *arguments):
        subprocess.run(
            self.as_owner + [os.path.join(self.programs, program), *arguments], cwd=self.directory,
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)

    def wait(self, address, sql, wanted):
        """A watchdog of ten minutes: what is waited for comes by itself."""
        end = time.monotonic() + 600
        while self.ask(address, sql) != wanted:
            if time.monotonic() > end:
                raise SystemExit("PostgreSQL does not answer %s to %s" % (wanted, sql))
            time.sleep(0.05)

    def start_replica(self, is_synchronous):
        self.run("pg_basebackup", "-D", self.data, "-d", "host=%s user=holdfast" % self.primary_directory, "-R",
                 "-X", "stream", "--checkpoint=fast", "--no-sync")
        self.run("pg_ctl", "-D", self.data, "-w", "-t", "600", "-l", os.path.join(self.directory, "log"), "-o",
                 "-c listen_addresses='' -c unix_socket_directories='%s' -c max_connections=600 -c fsync=off "
                 "-c full_page_writes=off" % self.directory, "start")
        if is_synchronous:
            self.ask(self.primary, "ALTER SYSTEM SET synchronous_standby_names = '*'")
            self.ask(self.primary, "SELECT pg_reload_conf()")
        state = "sync" if is_synchronous else "async"
        self.wait(self.primary, "SELECT sync_state FROM pg_stat_replication", state)

    def cut_off_replica(self):
        """What the primary commits from now on is lost with it."""
        self.ask(self.replica, "ALTER SYSTEM SET primary_conninfo = ''")
        self.ask(self.replica, "SELECT pg_reload_conf()")
        self.wait(self.replica, "SELECT count(*) FROM pg_stat_wal_receiver", "0")

    def kill_primary(self):
        data = self.ask(self.primary, "SHOW data_directory")
        with open(os.path.join(data, "postmaster.pid")) as file:
            postmaster = int(file.readline())
        processes = subprocess.run(["ps", "-axo", "pid=,ppid="], stdout=subprocess.PIPE, check=True).stdout.decode()
        pairs = [line.split() for line in processes.splitlines()]
        for process in [postmaster] + [int(pid) for pid, parent in pairs if parent == str(postmaster)]:
            try:
                os.kill(process, signal.SIGKILL)
            except ProcessLookupError:
                pass

    def promote(self):
        self.run("pg_ctl", "-D", self.data, "-w", "-t", "600", "promote")
        if self.pool:
            settings = os.path.join(self.pool.split("host=")[1].split("&")[0], "pgbouncer.ini")
            with open(settings) as file:
                text = file.read()
            with open(settings, "w") as file:
                file.write(text.replace(self.primary_directory, self.directory))
            self.ask(self.pool.replace("/postgres?", "/pgbouncer?"), "RELOAD")

    def close(self):
        if os.path.exists(os.path.join(self.data, "postmaster.pid")):
            self.run("pg_ctl", "-D", self.data, "-w", "-t", "600", "-m", "immediate", "stop")
        shutil.rmtree(self.directory)


class LossyHistory(history.History):
    """A history in which commits of some time are lost, and the service renews all versions."""

    def __init__(self):
        super().__init__()
        self.may_lose = False
        # The records that were changed in that time, and those of them that are gone.
        self.endangered, self.lost = set(), set()
        # The versions at which content was seen again.
        self.renewed = set()

    def seen(self, row):
        place, content = (row["id"], row["_version"]), (row["text"], row["count"], bool(row["_deleted"]))
        if self.contents.setdefault(place, content) != content:
            self.wrong("version %s has two contents: %s and %s" % (place, self.contents[place], content))
        if content[0] in self.refused:
            self.wrong("a refused change happened: %s is in %s" % (content[0], place))
        other = self.places.setdefault((content[0], content[2]), place)
        if other != place:
            # A renewed record has the content that it had.
            self.renewed.add(max(place[1], other[1]))
            if other[0] != place[0]:
                self.wrong("a change was made twice: %s is in %s and in %s" % (content[0], other, place))
        if self.may_lose:
            self.endangered.add(row["id"])

    def read(self, key, floor, row):
        if row is None and key in self.endangered:
            self.lost.add(key)
            return
        super().read(key, floor, row)

    def finish(self, truth):
        for row in truth.values():
            self.seen(row)
            if row["count"] > self.tried[row["id"]]:
                self.wrong("%s was changed more often than tried" % row["id"])
        for key, version in list(self.acknowledged.items()) + list(self.contents):
            if key not in truth and key in self.endangered:
                self.lost.add(key)
            elif key not in truth or truth[key]["_version"] < version:
                self.wrong("version %d of %s was seen, and is lost" % (version, key))
        # One renewal gives all records the same version.
        if len(self.renewed) > self.counts["renewals"]:
            self.wrong("content came again at %d versions" % len(self.renewed))
        self.counts["lost records"] = len(self.lost)
        if not self.lost:
            self.wrong("nothing was lost, so the run shows little")


class Drill(history.World):
    """Two services that are started again when they end, and a primary that dies under load."""

    def __init__(self, program, directory, seed, servers, is_synchronous):
        options = ["--synchronous-replicas"] if is_synchronous else []
        super().__init__(program, directory, seed, servers.address, options)
        self.servers, self.is_synchronous = servers, is_synchronous
        if not is_synchronous:
            self.history = LossyHistory()

    async def faults(self, seconds):
        loop = asyncio.get_running_loop()
        await asyncio.sleep(3)
        if not self.is_synchronous:
            self.history.may_lose = True
            await loop.run_in_executor(None, self.servers.cut_off_replica)
            await asyncio.sleep(2)
        self.servers.kill_primary()
        if not self.is_synchronous:
            # Answers that are on their way count, too; none comes later than this.
            await asyncio.sleep(history.TIMEOUT + 1)
            self.history.may_lose = False
        started = time.monotonic()
        supervisors = [asyncio.ensure_future(self.supervise(service)) for service in self.services]
        await loop.run_in_executor(None, self.servers.promote)
        while not all(supervisor.done() for supervisor in supervisors):
            await asyncio.sleep(0.1)
        for supervisor in supervisors:
            supervisor.result()
        self.history.counts["seconds without service"] = round(time.monotonic() - started)
        acknowledged = self.history.counts["acknowledged"]
        await asyncio.sleep(3)
        end = time.monotonic() + history.LONGEST_START
        while self.history.counts["acknowledged"] <= acknowledged:
            if time.monotonic() > end:
                self.history.wrong("nothing was acknowledged after the promotion")
                break
            await asyncio.sleep(0.1)
        for service in self.services:
            with open(os.path.join(self.directory, service.name + ".err")) as log:
                self.history.counts["renewals"] += log.read().count("renewed ")
        if (self.history.counts["renewals"] > 0) == self.is_synchronous:
            self.history.wrong("there were %d renewals of versions" % self.history.counts["renewals"])

    async def supervise(self, service):
        """Waits until a service ends since the database is another one, and starts it again."""
        end = time.monotonic() + history.LONGEST_START
        while service.process.poll() is None:
            if time.monotonic() > end:
                raise SystemExit("service %s does not end; see %s" % (service.name, self.directory))
            await asyncio.sleep(0.05)
        if service.process.returncode != 1:
            self.history.wrong("a service ended with %d" % service.process.returncode)
        await service.start()

    def differences(self, device, truth):
        keys = super().differences(device, truth)
        # A device cannot know that a record is gone which no commit has deleted, unless it reads everything again.
        return keys if self.is_synchronous else [
            key for key in keys if key in truth or key not in self.history.endangered]


def main():
    # So that the replica ends, too.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    is_synchronous = {"synchronous": True, "asynchronous": False}[sys.argv[2]]
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else random.SystemRandom().randrange(1 << 32)
    servers = Servers()
    directory = tempfile.mkdtemp(prefix="holdfast-promotion.")
    try:
        servers.start_replica(is_synchronous)
        world = Drill(os.path.abspath(sys.argv[1]), directory, seed, servers, is_synchronous)
        try:
            asyncio.run(world.run(None))
        finally:
            world.close()
    finally:
        servers.close()
    history.report(world, seed)


main()
