internal import APIDocuments
internal import CrashStore
internal import Documents
internal import HTTP
internal import Identifiers
internal import JSON

/// The body of `POST /api/v1/sessions`: one session, a list of sessions, or an object with lists of sessions
/// and of counts.
enum SessionInput {
  private static let sessionMembers: [APIMember] = [
    .always("id", .text(atLeast: 1), "The session's id; a repeated id updates the session."),
    .maybe("install", .text(), "The installation's id, as in reports."),
    .maybe("user", .text(), "The user's id, if the installation is unknown."),
    .always("version", .text(atLeast: 1), "The app's version, as in reports.", example: "1.4.0"),
    .maybe("build", .text(), "The app's build, as in reports.", example: "512"),
    .always("started", moment, "RFC 3339, or seconds since 1970."),
    .maybe("duration", .number, "The length in seconds; absent for a running session."),
    .maybe(
      "status", .choice(SessionStatus.allCases.map(\.rawValue)),
      "The outcome; ok if absent. The most severe report is kept."),
  ]

  private static let countMembers: [APIMember] = [
    .always("id", .text(atLeast: 1), "The count's id; a repeated id counts once."),
    .always("version", .text(atLeast: 1), "The app's version, as in reports.", example: "1.4.0"),
    .maybe("build", .text(), "The app's build, as in reports.", example: "512"),
    .always("started", moment, "When the first session began; its UTC day is used."),
    .always("sessions", .integer(0...SessionBatch.mostCounted), "The number of sessions."),
    .always("crashed", .integer(0...SessionBatch.mostCounted), "The number of crashed sessions."),
  ]

  private static let moment = APISchema.either([.time, .number])

  static let schema = APISchema.either([
    .object(
      [
        .maybe(
          "sessions", .list(.object(sessionMembers, isClosed: true), atMost: SessionBatch.most)),
        .maybe("counts", .list(.object(countMembers, isClosed: true), atMost: SessionBatch.most)),
      ], isClosed: true),
    .object(sessionMembers, isClosed: true),
    .list(.object(sessionMembers, isClosed: true), atMost: SessionBatch.most),
  ])

  /// - Throws: `HTTPError` that names the invalid member.
  static func read(_ body: JSONValue, into batch: inout SessionBatch) throws {
    if let list = body.array {
      try addSessions(list, "", to: &batch)
    } else if body.object?.contains(where: { ["sessions", "counts"].contains($0.key) }) == true {
      let object = try Object(body, "", ["sessions", "counts"])
      if let list = try object.list("sessions") { try addSessions(list, "sessions", to: &batch) }
      if let list = try object.list("counts") {
        batch.counts = try list.enumerated().map { try count($1, "counts[\($0)].") }
      }
    } else {
      batch.sessions = [try session(body, "")]
    }
    guard batch.sessions.count + batch.counts.count <= SessionBatch.most else {
      throw refusal("at most \(SessionBatch.most) sessions and counts per request; send several")
    }
  }

  static func refusal(_ words: String, _ member: String? = nil) -> HTTPError {
    .refused(.badRequest, words, code: .invalidDocument, member: member)
  }

  private static func addSessions(
    _ list: [JSONValue], _ name: String, to batch: inout SessionBatch
  ) throws {
    guard list.count <= SessionBatch.most else {
      throw refusal("at most \(SessionBatch.most) sessions and counts per request; send several")
    }
    batch.sessions = try list.enumerated().map { try session($1, "\(name)[\($0)].") }
  }

  private static func session(_ value: JSONValue, _ path: String) throws -> SessionBatch.Session {
    let object = try Object(value, path, sessionMembers.map(\.name))
    let word = try object.text("status") ?? SessionStatus.ok.rawValue
    guard let status = SessionStatus(rawValue: word) else {
      let words = SessionStatus.allCases.map(\.rawValue).joined(separator: ", ")
      throw refusal("\(path)status must be one of \(words)", path + "status")
    }
    let persons = try [object.text("install"), object.text("user")].compactMap(\.self)
    return SessionBatch.Session(
      id: try object.required("id"), person: persons.first { !$0.isEmpty },
      release: try object.release(), started: try object.time("started"),
      duration: try object.duration("duration"), status: status)
  }

  private static func count(_ value: JSONValue, _ path: String) throws -> SessionBatch.Count {
    let object = try Object(value, path, countMembers.map(\.name))
    let (sessions, crashed) = try (object.number("sessions"), object.number("crashed"))
    guard crashed <= sessions else {
      throw refusal("\(path)crashed is greater than sessions", path + "crashed")
    }
    return SessionBatch.Count(
      id: try object.required("id"), release: try object.release(),
      started: try object.time("started"), sessions: sessions, crashed: crashed)
  }

  /// An object in the body with its path, which has only known members.
  private struct Object {
    let value: JSONValue
    let path: String

    init(_ value: JSONValue, _ path: String, _ names: [String]) throws {
      let container = path.isEmpty ? "the body" : String(path.dropLast())
      guard let members = value.object else {
        throw SessionInput.refusal("\(container) is not an object")
      }
      if let other = members.first(where: { !names.contains($0.key) }) {
        throw SessionInput.refusal(
          "\(container) has no member '\(other.key.prefix(80))'; members are "
            + names.joined(separator: ", "), path + String(other.key.prefix(80)))
      }
      guard Set(members.map(\.key)).count == members.count else {
        throw SessionInput.refusal("a member of \(container) appears twice")
      }
      self.value = value
      self.path = path
    }

    private func wrong(_ name: String, _ what: String) -> HTTPError {
      SessionInput.refusal("\(path)\(name) is \(what)", path + name)
    }

    func list(_ name: String) throws -> [JSONValue]? {
      guard let found = value[name] else { return nil }
      guard let list = found.array else { throw wrong(name, "a list") }
      return list
    }

    func text(_ name: String) throws -> String? {
      guard let found = value[name] else { return nil }
      let most = SessionBatch.longestText
      guard let text = found.string, text.unicodeScalars.count <= most,
        text.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7f })
      else { throw wrong(name, "a text of \(most) characters at most, without control characters") }
      return text
    }

    func required(_ name: String) throws -> String {
      guard let text = try text(name), !text.isEmpty else { throw wrong(name, "missing") }
      return text
    }

    func release() throws -> Release {
      Release(version: try required("version"), build: try text("build") ?? "")
    }

    func time(_ name: String) throws -> Timestamp {
      if let text = value[name]?.string, let time = Timestamp(text) { return time }
      if let seconds = value[name]?.double, (0...4_102_444_800).contains(seconds) {
        return Timestamp(microseconds: Int(seconds * 1_000_000))
      }
      throw wrong(name, "a time such as 2026-03-01T00:00:00Z, or seconds since 1970")
    }

    func duration(_ name: String) throws -> Int? {
      guard let found = value[name] else { return nil }
      guard let seconds = found.double, (0...Double(SessionBatch.longestDuration)).contains(seconds)
      else { throw wrong(name, "a number of seconds up to \(SessionBatch.longestDuration)") }
      return Int(seconds * 1_000_000)
    }

    func number(_ name: String) throws -> Int {
      guard let number = value[name]?.integer, (0...SessionBatch.mostCounted).contains(number)
      else { throw wrong(name, "a whole number from 0 to \(SessionBatch.mostCounted)") }
      return number
    }
  }
}
