extension QueryField {
  /// Search words without a field.
  static let words = QueryField(
    "text", .text, [.function, .file, .signature, .headline, .message],
    "words in functions, files, text", "\"null dereference\"")

  static let tags = QueryField(
    "tag.NAME", .name, [.tag], "a tag from the report", "tag.locale:de_*")

  static let properties = QueryField(
    "property.NAME", .name, [.tag], "a custom property", "property.Plan:Pro")

  static let received = QueryField(
    "received", .time, [.received], "when it was received", "received:<24h")

  static let states = ["open", "resolved", "ignored", "regressed"]
  static let unassigned = "unassigned"
  /// `is:new`: the group was first seen in the last ``newDays`` days.
  static let newWord = "new"
  public static let newDays = 7
  static let kinds = ["crash", "handled", "hang", "oom", "other"]

  /// All fields, in the order in which they are listed.
  public static let all: [QueryField] = [
    words,
    QueryField("app", .name, [.app], "app name", "app:Tern"),
    QueryField("group", .name, [.group], "the report's group", "group:TERN-12"),
    QueryField(
      "id", .name, [.id], "start of the report's id", "id:5a2c9be2", aliases: ["report"]),
    QueryField(
      "variant", .name, [.variant], "start of a variant's id",
      "variant:3fa9c1d2"),
    QueryField(
      "is", .choice, [.state, .kind, .provisional],
      "group status, or kind of report", "is:open",
      choices: states + kinds + ["provisional", unassigned, newWord]),
    QueryField(
      "version", .version, [.version, .release], "app version", "version:>=2.4",
      aliases: ["release"]),
    QueryField("build", .version, [.build], "app build", "build:512..600"),
    QueryField("os", .name, [.osName, .os], "operating system", "os:iOS"),
    QueryField("os.version", .version, [.osVersion], "system version", "os.version:17.*"),
    QueryField("os.build", .name, [.osBuild], "system build", "os.build:21C62"),
    QueryField("device", .name, [.device], "device model", "device:iPhone15,*"),
    QueryField("arch", .name, [.arch], "architecture", "arch:arm64"),
    QueryField("process", .name, [.process], "process name", "process:Tern"),
    QueryField("kind", .choice, [.kind], "kind of report", "kind:hang", choices: kinds),
    QueryField("signal", .name, [.signal], "signal", "signal:SIGSEGV|SIGBUS"),
    QueryField(
      "type", .name, [.type, .exception], "exception type", "type:EXC_BAD_ACCESS",
      aliases: ["exception"]),
    QueryField("code", .name, [.code], "exception code", "code:KERN_*"),
    QueryField(
      "reason", .text, [.headline, .message], "reason or message",
      "reason:\"null dereference\""),
    QueryField("message", .text, [.message], "message", "message:\"out of range\""),
    QueryField(
      "category", .name, [.category], "cause found by grouping", "category:watchdog"),
    QueryField("signature", .text, [.signature], "signature text", "signature:Renderer"),
    QueryField(
      "function", .text, [.function], "function on the stack", "function:Foo.bar",
      aliases: ["frame"]),
    QueryField("file", .text, [.file], "source file on that stack", "file:Renderer.swift"),
    QueryField("image", .name, [.image], "image on that stack", "image:UIKitCore"),
    QueryField(
      "symbols", .choice, [.symbols], "symbols for that stack", "symbols:missing|partial",
      choices: ["missing", "partial", "full"]),
    QueryField("user", .name, [.user], "user id", "user:42"),
    QueryField("install", .exact, [.install], "installation id", "install:8D1F2A60"),
    QueryField(
      "incident", .exact, [.incident], "id given by the reporter",
      "incident:5B1E6C1C3C51", aliases: ["errorid"]),
    QueryField("format", .name, [.format], "report format", "format:apple-*"),
    QueryField(
      "source", .text, [.source], "where it came from", "source:nightly/"),
    QueryField(
      "attachment", .name, [.attachment], "attached file", "attachment:log.txt"),
    tags,
    properties,
    QueryField("uptime", .number, [.uptime], "seconds since the start", "uptime:<5"),
    QueryField("time", .time, [.time], "when it happened", "time:2026-05-01..2026-05-07"),
    received,
    QueryField(
      "state", .choice, [.state], "group status", "state:open|regressed",
      choices: states, level: .group),
    QueryField(
      "assignee", .name, [.assignee], "assignee", "assignee:ann", level: .group),
    QueryField(
      "reports", .number, [.reports], "reports in the group", "reports:>100", level: .group),
    QueryField(
      "users", .number, [.installs], "affected users", "users:>=10", aliases: ["installs"],
      level: .group),
    QueryField("versions", .number, [.versions], "affected versions", "versions:1", level: .group),
    QueryField(
      "first", .time, [.firstSeen], "first seen", "first:<7d", aliases: ["first-seen"],
      level: .group),
    QueryField(
      "last", .time, [.lastSeen], "last seen", "last:>30d", aliases: ["last-seen"],
      level: .group),
  ]
}
