"""Drives a service with gql, which is not of this project: queries, mutations, conflicts, and subscriptions, over HTTP
and WebSockets, with a key, a token, and signatures. Usage: drive-service.py ENDPOINT REALTIME KEY TOKEN"""

import asyncio
import sys
from urllib.parse import urlsplit

from botocore.credentials import Credentials
from gql import Client, GraphQLRequest, gql
from gql.transport.aiohttp import AIOHTTPTransport
from gql.transport.appsync_auth import (
    AppSyncApiKeyAuthentication,
    AppSyncIAMAuthentication,
    AppSyncJWTAuthentication,
)
from gql.transport.appsync_websockets import AppSyncWebsocketsTransport
from gql.transport.exceptions import TransportError, TransportQueryError

endpoint, realtime, key, token = sys.argv[1:]
host = urlsplit(endpoint).netloc
credentials = Credentials("AKIDEXAMPLE", "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY")


def signed(secret=credentials):
    return AppSyncIAMAuthentication(host=host, region_name="us-east-1", credentials=secret)


ways = {
    "key": AppSyncApiKeyAuthentication(host=host, api_key=key),
    "token": AppSyncJWTAuthentication(host=host, jwt=token),
    "signature": signed(),
}
wrong_ways = {
    "key": AppSyncApiKeyAuthentication(host=host, api_key="other"),
    "token": AppSyncJWTAuthentication(host=host, jwt=token[:-4] + "AAAA"),
    "signature": signed(Credentials("AKIDEXAMPLE", "other")),
}
note = "id text tags _version _deleted _lastChangedAt"
create = gql("mutation C($input: CreateNoteInput!) { createNote(input: $input) { %s } }" % note)
update = gql("mutation U($input: UpdateNoteInput!) { updateNote(input: $input) { %s } }" % note)
delete = gql("mutation D($input: DeleteNoteInput!) { deleteNote(input: $input) { %s } }" % note)
get = gql("query G($id: ID!) { getNote(id: $id) { %s } }" % note)
sync = gql(
    "query S($lastSync: AWSTimestamp, $nextToken: String) { syncNotes(limit: 2, lastSync: $lastSync, "
    "nextToken: $nextToken) { items { %s } nextToken startedAt } }" % note
)


async def run(session, document, **values):
    return await session.execute(GraphQLRequest(document, variable_values=values))


async def conflict(session, document, **values):
    try:
        await run(session, document, input=values)
    except TransportQueryError as error:
        return error.errors[0]["errorType"], error.errors[0]["data"]
    raise AssertionError("there is no conflict")


async def check_requests(auth, way):
    async with Client(transport=AIOHTTPTransport(url=endpoint, auth=auth)) as session:
        made = (await run(session, create, input={"text": way, "tags": ["a"]}))["createNote"]
        assert made["_version"] == 1 and made["_deleted"] is None, made
        changed = (await run(session, update, input={"id": made["id"], "text": "new", "_version": 1}))["updateNote"]
        assert (changed["_version"], changed["text"], changed["tags"]) == (2, "new", ["a"]), changed
        kind, stored = await conflict(session, update, id=made["id"], text="late", _version=1)
        assert kind == "ConflictUnhandled" and stored["text"] == "new" and stored["_version"] == 2, stored
        kind, _ = await conflict(session, create, id=made["id"], text="again")
        assert kind == "ConditionalCheckFailedException", kind
        gone = (await run(session, delete, input={"id": made["id"], "_version": 2}))["deleteNote"]
        assert gone["_deleted"] is True and gone["_version"] == 3, gone
        assert (await run(session, get, id=made["id"]))["getNote"]["_deleted"] is True
        seen, place = [], None
        while True:
            page = (await run(session, sync, nextToken=place))["syncNotes"]
            seen += [item["id"] for item in page["items"]]
            place = page["nextToken"]
            if place is None:
                break
        assert made["id"] in seen, seen
        delta = (await run(session, sync, lastSync=page["startedAt"]))["syncNotes"]
        assert delta["startedAt"] >= page["startedAt"], delta


async def check_events(auth, way):
    subscription = gql("subscription S { onCreateNote { %s } }" % note)
    async with Client(transport=AppSyncWebsocketsTransport(url=realtime, auth=auth)) as listener:
        events = listener.subscribe(subscription)
        first = asyncio.ensure_future(anext(events))
        async with Client(transport=AIOHTTPTransport(url=endpoint, auth=auth)) as session:
            # The acknowledgement of a subscription is not visible here, so notes are made until one arrives.
            while not first.done():
                await run(session, create, input={"text": "event " + way})
                await asyncio.wait([first], timeout=0.05)
        assert (await first)["onCreateNote"]["text"] == "event " + way
        await events.aclose()


async def check_refusals(auth):
    try:
        async with Client(transport=AIOHTTPTransport(url=endpoint, auth=auth)) as session:
            await run(session, get, id="1")
    except TransportError as error:
        assert "401" in str(error) or "UnauthorizedException" in str(error), error
    else:
        raise AssertionError("a wrong proof is accepted")
    try:
        async with Client(transport=AppSyncWebsocketsTransport(url=realtime, auth=auth)) as listener:
            await anext(listener.subscribe(gql("subscription S { onCreateNote { id } }")))
    except TransportError as error:
        assert "Unauthorized" in str(error), error
    else:
        raise AssertionError("a wrong proof is accepted for a socket")


async def main():
    for way, auth in ways.items():
        await check_requests(auth, way)
        await check_events(auth, way)
    for auth in wrong_ways.values():
        await check_refusals(auth)
    print("all is well")


asyncio.run(main())
