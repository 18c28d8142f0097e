internal import Bytes
internal import CrashModel
internal import JSON

/// What a line of a group's history keeps so that it can be undone, as JSON.
struct ActionRecord: Equatable {
  /// The state of the group before.
  var standing: GroupStanding?
  /// Who looked after the group before; `nil` for nobody.
  var assignee: String?
  /// The other group: the one that was merged or taken out, or that was split off.
  var group: Int?
  /// The last report that there was.
  var mark: Int?
  /// The line of another group's history that tells of the same.
  var line: Int?

  init() {}

  var text: String {
    var writer = JSONWriter()
    writer.beginObject()
    writer.member("group", group)
    writer.member("line", line)
    writer.member("mark", mark)
    writer.member("assignee", assignee)
    if let standing {
      writer.key("standing")
      Self.write(standing, to: &writer)
    }
    writer.endObject()
    return String(decoding: writer.takeBytes(), as: UTF8.self)
  }

  private static func write(_ standing: GroupStanding, to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("state", standing.state.rawValue)
    writer.member("time", standing.time?.microseconds)
    writer.member("author", standing.author)
    writer.member("fixed", standing.fix?.kind.rawValue)
    writer.member("version", standing.fix?.release?.version)
    writer.member("build", standing.fix?.release?.build)
    writer.member("reports", standing.ignore?.reports)
    writer.member("users", standing.ignore?.users)
    writer.member("until", standing.ignore?.until?.microseconds)
    writer.endObject()
  }

  /// Reads what ``text`` prints; what cannot be read is left out.
  init(_ text: String) {
    guard let value = try? JSONDocument.parse(ByteView(text.utf8), limits: .report).value else {
      return
    }
    group = value["group"]?.integer
    line = value["line"]?.integer
    mark = value["mark"]?.integer
    assignee = value["assignee"]?.string
    standing = value["standing"].map(Self.standing)
  }

  private static func standing(_ value: JSONValue) -> GroupStanding {
    let state = value["state"]?.string.flatMap(GroupState.init(rawValue:)) ?? .open
    var standing = GroupStanding(
      state, time: value["time"]?.integer.map(Timestamp.init(microseconds:)),
      author: value["author"]?.string)
    if let kind = value["fixed"]?.string.flatMap(GroupFix.Kind.init(rawValue:)) {
      let version = value["version"]?.string
      let release = version.map { Release(version: $0, build: value["build"]?.string ?? "") }
      standing.fix = GroupFix(kind, release)
    }
    if state == .ignored {
      standing.ignore = IgnoreCondition(
        reports: value["reports"]?.integer, users: value["users"]?.integer,
        until: value["until"]?.integer.map(Timestamp.init(microseconds:)))
    }
    return standing
  }
}
