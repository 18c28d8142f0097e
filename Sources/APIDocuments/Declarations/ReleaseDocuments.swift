internal import CrashModel
internal import CrashService
package import CrashStore
package import Documents

extension ReleaseFigures: Documented {
  package static let declaration = DocumentType(
    "ReleaseFigures",
    blank: ReleaseFigures(
      app: "", release: Release(version: ""), days: Days(first: .zero, last: .zero))
  ) {
    DocumentMember(schema: 1)
    DocumentMember("app", \.app, .text, example: "Tern")
    DocumentMember("version", \.release.version, .text, example: "1.4.0")
    DocumentMember(
      "build", nonEmpty: \.release.build, .text, "Absent where all builds are meant.",
      example: "512")
    DocumentMember(
      "builds", \.builds, .list(.text), "Those of its builds that are known, oldest first.",
      example: ["512"])
    DocumentMember("reports", \.reports, .count, "Those that have expired included.")
    DocumentMember("groups", \.groups, .count, "How many groups these are in.")
    DocumentMember("first_seen", optional: \.firstSeen, .time)
    DocumentMember("last_seen", optional: \.lastSeen, .time)
    DocumentMember(
      "installs", \.installs, .count, "Distinct installations with a report or a session of it.")
    DocumentMember(object: "crash_free", "Of the days of `from` and `to`.") {
      DocumentMember("from", \.days.first, .day, "The first day.")
      DocumentMember("to", \.days.last, .day, "The last day.")
      DocumentMember("formula", derived: { _ in AppCrashFree.formula }, .text)
      DocumentMember("sessions", \.crashFree.rateOfSessions, .document)
      DocumentMember("users", \.crashFree.rateOfUsers, .document)
      DocumentMember("crashes", \.crashFree.crashes, .count)
    }
    DocumentMember(
      "adoption", \.adoption, .list(.object(Day.declaration)),
      "Each of those days, from the first with a session of the app.")
    DocumentMember(
      "new_groups", \.newGroups, .object(Part<Group>.declaration),
      "Seen in it and in no release before it.")
    DocumentMember(
      "regressions", \.regressions, .object(Part<Group>.declaration),
      "Resolved groups that came back in it.")
    DocumentMember(
      "fixed_groups", \.fixedGroups, .object(Part<Group>.declaration), "Resolved in it.")
    DocumentMember(
      "missing", \.missing, .object(Part<MissingImage>.missing),
      "Images of the app's own code whose debug files are missing.")
  }
}

extension ReleaseFigures.Day: Documented {
  package static let declaration = DocumentType(
    "AdoptionDay",
    blank: ReleaseFigures.Day(
      start: .zero, sessions: 0, allSessions: 0, installs: 0, allInstalls: 0)
  ) {
    DocumentMember("day", \.start, .day)
    DocumentMember("sessions", \.sessions, .count, "Of the release.")
    DocumentMember("all_sessions", \.allSessions, .count, "Of the app.")
    DocumentMember("users", \.installs, .count, "Distinct installations of the release.")
    DocumentMember("all_users", \.allInstalls, .count, "Of the app.")
  }
}

extension ReleaseFigures.Group: Documented {
  package static let declaration = DocumentType(
    "ReleaseGroup",
    blank: ReleaseFigures.Group(id: "", signature: "", state: .open, reports: 0)
  ) {
    DocumentMember("id", \.id, .text, example: "TERN-12")
    DocumentMember("title", \.signature, .text, "The text of its signature.")
    DocumentMember("state", \.state, .word, "Its status now.")
    DocumentMember("reports", \.reports, .count, "Those of the release.")
  }
}

extension ReleaseFigures.Part where Item == ReleaseFigures.Group {
  fileprivate static var declaration: DocumentType<Self> {
    DocumentType("ReleaseGroups", blank: Self()) {
      DocumentMember(
        "items", \.items, .list(.object(Item.declaration)), "The first, by reports.")
      DocumentMember("total", \.total, .count)
    }
  }
}

extension ReleaseFigures.Part where Item == MissingImage {
  fileprivate static var missing: DocumentType<Self> {
    DocumentType("ReleaseImages", blank: Self()) {
      DocumentMember("items", \.items, .list(.document), "The first, by what they would explain.")
      DocumentMember("total", \.total, .count)
    }
  }
}
