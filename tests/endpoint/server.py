"""A strict chat-completions server on loopback, scripted by each test."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Set
from typing import Any

from pytest_httpserver import HTTPServer
from werkzeug import Request, Response

from pinakes_ask.models.endpoint.prompts import prompt_text

KEY = "sk-test-1234567890"
MODEL = "test-model"
ALLOWED_KEYWORDS = {"type", "properties", "required", "additionalProperties", "items", "enum", "anyOf"}
#: A reply of the script: its text, a whole response, or what makes one of the request's JSON.
Step = str | Response | Callable[[dict[str, Any]], "str | Response"]


def completion(text: str | None, **changes: Any) -> Response:
    """A chat completion. ``usage=None`` leaves the usage out; ``finish`` and ``refusal`` as named."""
    message = {"role": "assistant", "content": text, "refusal": changes.get("refusal")}
    choice = {"index": 0, "message": message, "finish_reason": changes.get("finish", "stop")}
    body: dict[str, Any] = {
        "id": "c",
        "object": "chat.completion",
        "created": 0,
        "model": MODEL,
        "choices": [choice],
    }
    usage = changes.get("usage", {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110})
    if usage is not None:
        body["usage"] = usage
    return Response(json.dumps(body), content_type="application/json")


def failure(status: int, message: str = "no", code: str | None = None, **headers: str) -> Response:
    body = json.dumps({"error": {"message": message, "type": "error", "code": code}})
    return Response(body, status, headers={key.replace("_", "-"): value for key, value in headers.items()},
                    content_type="application/json")  # fmt: skip


class ChatServer:
    """Answers each request with the next step; the last one is repeated. ``requests`` keeps the bodies."""

    def __init__(self, server: HTTPServer) -> None:
        self.url = server.url_for("/v1")
        self.requests: list[dict[str, Any]] = []
        self.steps: list[Step] = []
        self.keys: set[str] = set()
        self.headers: dict[str, str] = {}
        #: Bodies of the requests that were not refused for their form or length.
        self.served: list[dict[str, Any]] = []
        self.keywords = {*ALLOWED_KEYWORDS}
        self.formats = {"json_schema", "json_object", "text"}
        #: Tokens that prompt and reply may take together, and how it is said when they do not.
        self.window: int | None = None
        self.too_long = "maximum context length is {window} tokens, however you requested {total} tokens"
        server.expect_request("/v1/chat/completions", method="POST").respond_with_handler(self._answer)

    def script(self, *steps: Step) -> ChatServer:
        self.steps = list(steps)
        return self

    def script_kinds(self, **steps: Step | list[Step]) -> ChatServer:
        """Answer each kind of task by its own steps, in whatever order and from however many runs they come."""
        queues = {kind: list(queue) if isinstance(queue, list) else [queue] for kind, queue in steps.items()}
        lock = threading.Lock()

        def reply(body: dict[str, Any]) -> str | Response:
            queue = queues[kind_of(body)]
            with lock:
                step = queue.pop(0) if len(queue) > 1 else queue[0]
            return step(body) if callable(step) and not isinstance(step, Response) else step

        return self.script(reply)

    @property
    def count(self) -> int:
        return len(self.requests)

    def prompt(self, number: int = -1) -> str:
        """All messages of a request in one text."""
        return "\n".join(message["content"] for message in self.requests[number]["messages"])

    def _answer(self, request: Request) -> Response:
        body = json.loads(request.get_data())
        self.requests.append(body)
        self.headers = dict(request.headers)
        self.keys.add(self.headers.get("Authorization", ""))
        complaint = self._complaint(body)
        if complaint:
            return failure(400, complaint)
        self.served.append(body)
        step = self.steps.pop(0) if len(self.steps) > 1 else self.steps[0]
        found = step(body) if callable(step) and not isinstance(step, Response) else step
        return completion(found) if isinstance(found, str) else found

    def _complaint(self, body: dict[str, Any]) -> str:
        if self.window is not None and tokens_of(body) + body["max_tokens"] > self.window:
            prompt = tokens_of(body)
            total = prompt + body["max_tokens"]
            return self.too_long.format(window=self.window, prompt=prompt, total=total)
        wanted = body.get("response_format", {"type": "text"})
        if wanted["type"] not in self.formats:
            return f"response_format {wanted['type']} is not supported"
        if wanted["type"] == "json_schema":
            return "; ".join(schema_complaints(wanted["json_schema"]["schema"], self.keywords))
        return ""


def tokens_of(body: dict[str, Any]) -> int:
    """What a prompt takes: a token for four characters."""
    return sum(len(message["content"]) for message in body["messages"]) // 4


def kind_of(body: dict[str, Any]) -> str:
    """The kind of task that a request asks, told by its prompt."""
    told = body["messages"][0]["content"]
    kinds = ("plan", "solve", "write", "reinfer", "propositions", "reinference")
    return next(kind for kind in kinds if told.startswith(prompt_text(kind).partition("\nREQUEST\n")[0]))


def schema_complaints(schema: dict[str, Any], keywords: Set[str] = ALLOWED_KEYWORDS) -> list[str]:
    """What a strict server would refuse in a schema."""
    found = [f"keyword {word} is not permitted" for word in schema.keys() - keywords]
    if schema.get("type") == "object":
        if schema.get("additionalProperties") is not False:
            found.append("additionalProperties must be false")
        if set(schema.get("required", ())) != set(schema["properties"]):
            found.append("every property must be required")
    parts = [*schema.get("properties", {}).values(), *schema.get("anyOf", ())]
    if "items" in schema:
        parts.append(schema["items"])
    return found + [one for part in parts for one in schema_complaints(part, keywords)]


def hang(seconds: float) -> Step:
    def slow(body: dict[str, Any]) -> str:
        time.sleep(seconds)
        return "{}"

    return slow
