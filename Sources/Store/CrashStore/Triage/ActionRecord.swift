internal import Bytes
internal import Database
internal import Identifiers
internal import JSON
internal import TriageModel

/// The data that a line of a group's history keeps so that it can be undone, as JSON.
struct ActionRecord: Equatable {
  /// The former state of the group.
  var status: GroupStatus?
  /// The former assignee of the group, if any.
  var assignee: String?
  /// The former ticket of the group, if any.
  var ticket: GroupTicket?
  /// The other group: the one that was merged, unmerged or split off.
  var group: RowID<Tables.Groups>?
  /// The last report at the time.
  var mark: RowID<Tables.Reports>?
  /// The line about the same action in another group's history.
  var line: RowID<Tables.History>?
  /// The first line of the call's actions, which are undone together.
  var batch: RowID<Tables.History>?

  init() {}

  var text: String {
    var writer = JSONWriter()
    writer.beginObject()
    writer.member("group", group?.rawValue)
    writer.member("line", line?.rawValue)
    writer.member("batch", batch?.rawValue)
    writer.member("mark", mark?.rawValue)
    writer.member("assignee", assignee)
    writer.member("ticket", ticket?.url)
    writer.member("ticket_state", ticket?.state.rawValue)
    if let status {
      writer.key("status")
      Self.write(status, to: &writer)
    }
    writer.endObject()
    return String(decoding: writer.takeBytes(), as: UTF8.self)
  }

  private static func write(_ status: GroupStatus, to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("state", status.state.rawValue)
    writer.member("time", status.time?.microseconds)
    writer.member("author", status.author)
    writer.member("fixed", status.fix?.kind.rawValue)
    writer.member("version", status.fix?.release?.version)
    writer.member("build", status.fix?.release?.build)
    writer.member("reports", status.ignore?.reports)
    writer.member("users", status.ignore?.users)
    writer.member("until", status.ignore?.until?.microseconds)
    writer.endObject()
  }

  /// Parses the output of ``text``.
  ///
  /// - Throws: ``StoreError/damaged(_:)`` for text that is not JSON: undoing by it would make a decision
  ///   that no user made.
  init(_ text: String) throws(StoreError) {
    let parse: JSONParse
    do {
      parse = try JSONDocument.parse(ByteView(text.utf8), limits: .report)
    } catch {
      throw .damaged("'data' of a line of group_history is not JSON: \(error)")
    }
    guard parse.cut == nil else {
      throw .damaged("'data' of a line of group_history is not whole: \(text)")
    }
    let value = parse.value
    group = value["group"]?.integer.map { RowID($0) }
    line = value["line"]?.integer.map { RowID($0) }
    batch = value["batch"]?.integer.map { RowID($0) }
    mark = value["mark"]?.integer.map { RowID($0) }
    assignee = value["assignee"]?.string
    ticket = try value["ticket"]?.string.map { url throws(StoreError) in
      GroupTicket(
        url: url, state: try GroupTickets.state(value["ticket_state"]?.string ?? "open"))
    }
    status = (value["status"] ?? value["standing"]).map(Self.status)
  }

  private static func status(_ value: JSONValue) -> GroupStatus {
    let state = value["state"]?.string.flatMap(GroupState.init(rawValue:)) ?? .open
    var status = GroupStatus(
      state, time: value["time"]?.integer.map(Timestamp.init(microseconds:)),
      author: value["author"]?.string)
    if let kind = value["fixed"]?.string.flatMap(GroupFix.Kind.init(rawValue:)) {
      let version = value["version"]?.string
      let release = version.map { Release(version: $0, build: value["build"]?.string ?? "") }
      status.fix = GroupFix(kind, release)
    }
    if state == .ignored {
      status.ignore = IgnoreCondition(
        reports: value["reports"]?.integer, users: value["users"]?.integer,
        until: value["until"]?.integer.map(Timestamp.init(microseconds:)))
    }
    return status
  }
}
