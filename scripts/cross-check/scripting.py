"""Exceptions of Ruby, PHP and Perl."""
import re

from reading import lines

FOLDERS = ["ruby", "php", "perl"]
FORMATS = ["ruby", "php", "perl"]
ARGUED = [
    ("ruby/killed*", "*", "crashes of Ruby's interpreter are not read by the parser"),
    ("perl/*", "*", "Perl's messages are not read by the parser"),
]
RUBY = re.compile(r"^(?:#<Thread.*> )?(?:\s*(?:\d+: )?from )?(.+?):(\d+)(?::in [`'](.*)')?(?:: (.*) \(([A-Z][\w:]*)\))?$")
PHP = re.compile(r"^#(\d+) (?:(.+?)\((\d+)\): )?(.+)$")


def ruby(text):
    reports, frames, previous_from = [], None, False
    for line in text:
        match = RUBY.match(line.strip()) if "from " in line or re.search(r"\([A-Z][\w:]*\)$", line) else None
        if match and match.group(5):
            frames = [{"file": match.group(1), "line": int(match.group(2)), "function": match.group(3)}]
            exception = {"type": match.group(5), "message": match.group(4), "frames": frames, "inner": []}
            if reports and previous_from:
                # Without another report between, it is the cause.
                reports[-1]["reason"]["exception"]["inner"].append(exception)
            else:
                reports.append({"format": "ruby", "reason": {"exception": exception}})
            previous_from = False
        elif match and frames is not None and "from " in line:
            frames.append({"file": match.group(1), "line": int(match.group(2)), "function": match.group(3)})
            previous_from = True
    return reports


def php(text):
    reports, exception = [], None
    for line in text:
        head = re.search(r"Fatal error:\s+Uncaught ([\w\\]+): (.*) in (.+):(\d+)$", line)
        match = PHP.match(line.strip())
        after = re.match(r"^Next ([\w\\]+): (.*) in (.+):(\d+)$", line)
        if head or after:
            cause = reports.pop() if after and reports else None
            head = head or after
            exception = {"type": head.group(1), "message": head.group(2), "names": [], "cause": cause,
                         "places": [(head.group(3), int(head.group(4)))]}
            reports.append(exception)
        elif match and exception:
            if match.group(4) == "{main}":
                exception["names"].append("{main}")
                exception = None
                continue
            exception["names"].append(re.sub(r"\(.*$", "", re.sub(r"^\[internal function\]: ", "", match.group(4))))
            exception["places"].append((match.group(2), int(match.group(3)) if match.group(3) else None))
    def finished(exception):
        # PHP prints where a function was called; the report has where it was.
        frames = [{"function": name, "line": place[1]} for name, place in zip(exception["names"], exception["places"])]
        return {"type": exception["type"], "message": exception["message"], "frames": frames,
                "inner": [finished(exception["cause"])] if exception["cause"] else []}

    found = [{"format": "php", "reason": {"exception": finished(exception)}} for exception in reports]
    # The log and the screen have the same.
    return found[:1] if len(found) == 2 and found[0] == found[1] else found


def parse(data):
    text = lines(data)
    joined = "\n".join(text)
    if "Fatal error:" in joined and "Uncaught" in joined:
        return php(text)
    return ruby(text)


def generate(random):
    """An exception of Ruby or PHP."""
    if random.random() < 0.5:
        quote = random.choice("`'")
        frames = []
        for _ in range(random.randrange(1, 9)):
            frames.append({"file": random.choice(["/app/till.rb", "/opt/tern desk/pay.rb", "/usr/lib/ruby/3.1.0/set.rb", "<internal:kernel>"]),
                           "line": random.randrange(1, 999), "function": random.choice(
                               ["charge", "block in pay", "Tern::Desk#open", "<main>", "rescue in total", "<top (required)>", "each"])})
        kind, message = random.choice(["NoMethodError", "Tern::PaymentError", "ArgumentError"]), random.choice(
            ["undefined method 'price' for nil", "a: b (c)", "no price"])
        text = "%s:%d:in %s%s': %s (%s)\n" % (frames[0]["file"], frames[0]["line"], quote, frames[0]["function"], message, kind)
        for frame in frames[1:]:
            text += "\tfrom %s:%d:in %s%s'\n" % (frame["file"], frame["line"], quote, frame["function"])
        return ("tern starts\n" + text).encode(), [{"format": "ruby", "reason": {"exception": {
            "type": kind, "message": message, "frames": frames}}}]
    names, places = [], []
    for _ in range(random.randrange(1, 8)):
        names.append(random.choice(["Tern\\Till->pay", "charge", "{closure}", "array_map", "Tern\\Desk::open", "require_once"]))
    for _ in range(len(names) + 1):
        places.append((random.choice(["/app/till.php", "C:\\app\\desk.php", "/app/a b/pay.php"]), random.randrange(1, 900)))
    kind, message = random.choice(["TypeError", "Tern\\PaymentException", "Exception"]), random.choice(["no price", "a: b in c", "x(1): y"])
    text = "PHP Fatal error:  Uncaught %s: %s in %s:%d\nStack trace:\n" % (kind, message, *places[0])
    for number, name in enumerate(names):
        text += "#%d %s(%d): %s(%s)\n" % (number, *places[number + 1], name, random.choice(["", "Array", "'two', 1", "Object(Tern\\Till)"]))
    text += "#%d {main}\n  thrown in %s on line %d\n" % (len(names), *places[0])
    frames = [{"function": name, "file": place[0], "line": place[1]} for name, place in zip(names + ["{main}"], places)]
    return ("tern starts\n" + text).encode(), [{"format": "php", "reason": {"exception": {
        "type": kind, "message": message, "frames": [
            {"function": frame["function"], "line": frame["line"]} for frame in frames]}}}]
