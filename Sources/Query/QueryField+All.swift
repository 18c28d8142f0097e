internal import CrashModel

extension QueryField {
  /// Words without a field.
  static let words = QueryField(
    "text", .text, [.function, .file, .signature, .headline, .message],
    "words in functions, files, texts", "\"null dereference\"")

  static let tags = QueryField(
    "tag.NAME", .name, [.tag], "what the format says, or the app", "tag.locale:de_*")

  static let properties = QueryField(
    "property.NAME", .name, [.tag], "a property of the app", "property.Plan:Pro")

  static let states = ["open", "resolved", "ignored", "regressed"]
  static let kinds = ["crash", "handled", "hang", "oom", "other"]

  /// Every field, in the order in which they are listed.
  public static let all: [QueryField] = [
    words,
    QueryField("app", .name, [.app], "the app", "app:Tern"),
    QueryField("group", .name, [.group], "the group that the report is in", "group:TERN-12"),
    QueryField(
      "id", .name, [.id], "how the report's id begins", "id:5a2c9be2", aliases: ["report"]),
    QueryField(
      "is", .choice, [.state, .kind, .provisional],
      "state of its group, or its kind", "is:open",
      choices: states + kinds + ["provisional"]),
    QueryField(
      "version", .version, [.version, .release], "version of the app", "version:>=2.4",
      aliases: ["release"]),
    QueryField("build", .version, [.build], "build of the app", "build:512..600"),
    QueryField("os", .name, [.osName, .os], "the system", "os:iOS"),
    QueryField("os.version", .version, [.osVersion], "version of the system", "os.version:17.*"),
    QueryField("os.build", .name, [.osBuild], "build of the system", "os.build:21C62"),
    QueryField("device", .name, [.device], "model of the device", "device:iPhone15,*"),
    QueryField("arch", .name, [.arch], "instruction set", "arch:arm64"),
    QueryField("process", .name, [.process], "the process's name", "process:Tern"),
    QueryField("kind", .choice, [.kind], "kind of event", "kind:hang", choices: kinds),
    QueryField("signal", .name, [.signal], "the signal", "signal:SIGSEGV|SIGBUS"),
    QueryField(
      "type", .name, [.type, .exception], "type of the exception", "type:EXC_BAD_ACCESS",
      aliases: ["exception"]),
    QueryField("code", .name, [.code], "code of the exception", "code:KERN_*"),
    QueryField(
      "reason", .text, [.headline, .message], "why, and what was said",
      "reason:\"null dereference\""),
    QueryField("message", .text, [.message], "what was said", "message:\"out of range\""),
    QueryField(
      "category", .name, [.category], "kind of death that grouping saw", "category:watchdog"),
    QueryField("signature", .text, [.signature], "the signature's text", "signature:Renderer"),
    QueryField(
      "function", .text, [.function], "a function on the crashed stack", "function:Foo.bar",
      aliases: ["frame"]),
    QueryField("file", .text, [.file], "a source file on it", "file:Renderer.swift"),
    QueryField("image", .name, [.image], "a binary on it", "image:UIKitCore"),
    QueryField(
      "symbols", .choice, [.symbols], "debug files for the stack", "symbols:missing|partial",
      choices: ["missing", "partial", "full"]),
    QueryField("user", .name, [.user], "the user", "user:42"),
    QueryField("install", .exact, [.install], "the installation", "install:8D1F2A60"),
    QueryField(
      "incident", .exact, [.incident], "what the reporter calls it",
      "incident:5B1E6C1C3C51", aliases: ["errorid"]),
    QueryField("format", .name, [.format], "format of the report", "format:apple-*"),
    QueryField(
      "source", .text, [.source], "where the submission came from", "source:nightly/"),
    QueryField(
      "attachment", .name, [.attachment], "a file that came with it", "attachment:log.txt"),
    tags,
    properties,
    QueryField("uptime", .number, [.uptime], "seconds from start to crash", "uptime:<5"),
    QueryField("time", .time, [.time], "when it crashed", "time:2026-05-01..2026-05-07"),
    QueryField("received", .time, [.received], "when the report came", "received:<24h"),
    QueryField(
      "state", .choice, [.state], "state of the group", "state:open|regressed",
      choices: states, level: .group),
    QueryField(
      "assignee", .name, [.assignee], "who sees to the group", "assignee:ann", level: .group),
    QueryField(
      "reports", .number, [.reports], "reports in the group", "reports:>100", level: .group),
    QueryField(
      "installs", .number, [.installs], "installations in it", "installs:>=10", level: .group),
    QueryField("versions", .number, [.versions], "versions in it", "versions:1", level: .group),
    QueryField("first", .time, [.firstSeen], "when it was first seen", "first:<7d", level: .group),
    QueryField("last", .time, [.lastSeen], "when it was last seen", "last:>30d", level: .group),
  ]
}
