internal import CrashService
package import CrashStore
package import Documents
internal import Identifiers
internal import TriageModel
package import Updates

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
      "build", nonEmpty: \.release.build, .text, "Absent for all builds of the version.",
      example: "512")
    DocumentMember(
      "builds", \.builds, .list(.text), "Its known builds, oldest first.",
      example: ["512"])
    DocumentMember("reports", \.reports, .count, "The number of reports, including expired ones.")
    DocumentMember("groups", \.groups, .count, "The number of groups of these reports.")
    DocumentMember("first_seen", optional: \.firstSeen, .time)
    DocumentMember("last_seen", optional: \.lastSeen, .time)
    DocumentMember(
      "installs", \.installs, .count, "Distinct installations with a report or session of it.")
    DocumentMember(object: "crash_free", "Crash-free figures of the days `from` to `to`.") {
      DocumentMember("from", \.days.first, .day, "The first day.")
      DocumentMember("to", \.days.last, .day, "The last day.")
      DocumentMember("formula", derived: { _ in AppCrashFree.formula }, .text)
      CrashFree.declaration.members(at: \ReleaseFigures.crashFree)
    }
    DocumentMember(
      "adoption", \.adoption, .list(.object(Day.declaration)),
      "Each of these days, from the first with a session of the app.")
    DocumentMember(
      "distribution", \.distribution, .object(DistributionFigures.declaration),
      "Downloads of its files, and installations that reported one.")
    DocumentMember(
      "new_groups", \.newGroups, .object(TopItems<Group>.declaration),
      "Groups seen in this release and in no earlier one.")
    DocumentMember(
      "regressions", \.regressions, .object(TopItems<Group>.declaration),
      "Resolved groups that came back in this release.")
    DocumentMember(
      "fixed_groups", \.fixedGroups, .object(TopItems<Group>.declaration), "Resolved in it.")
    DocumentMember(
      "missing", \.missing, .object(TopItems<MissingImage>.missing),
      "Images of the app's own code whose debug files are missing.")
    DocumentMember(
      "artefacts", \.artefacts, .list(.document), "Its files, newest first.")
    DocumentMember(
      "rollouts", \.rollouts, .list(.document), "Partial roll-outs of its builds.")
    DocumentMember(
      "history", \.history, .list(.object(DistributionEvent.declaration)),
      "The last 20 changes of its files and roll-outs, oldest first.")
    DocumentMember(
      "known_fix_answers", \.knownFixAnswers, .count,
      "How often clients learned that it fixes their crash.")
  }
}

extension DistributionFigures: Documented {
  package static let declaration = DocumentType(
    "DistributionFigures", blank: DistributionFigures()
  ) {
    DocumentMember("downloads", derived: { $0.downloads }, .count, "Of all days and groups.")
    DocumentMember(
      "installs", derived: { $0.installs }, .count,
      "Installations that reported that they run one of the files.")
    DocumentMember(
      "groups", \.groups, .list(.object(Group.declaration)), "By group, of all days.")
    DocumentMember(
      "days", \.days, .list(.object(Day.declaration)),
      "By group and day, of the days from `crash_free.from` to `crash_free.to` that have any.")
  }
}

extension DistributionFigures.Group: Documented {
  package static let declaration = DocumentType(
    "DistributionGroupCounts", blank: DistributionFigures.Group(id: nil, name: nil)
  ) {
    DocumentMember(
      "id", optional: \.id, .text,
      "Absent if it is not known, and for testers who were given a file by name.")
    DocumentMember("name", optional: \.name, .text, example: "Beta")
    DocumentMember("downloads", \.downloads, .count)
    DocumentMember("installs", \.installs, .count)
  }
}

extension DistributionFigures.Day: Documented {
  package static let declaration = DocumentType(
    "DistributionDay", blank: DistributionFigures.Day(start: .zero, group: nil)
  ) {
    DocumentMember("day", \.start, .day)
    DocumentMember("group", optional: \.group, .text, "The name of the group.", example: "Beta")
    DocumentMember("downloads", \.downloads, .count)
    DocumentMember("installs", \.installs, .count)
  }
}

extension ReleaseRollout: Documented {
  package static let declaration = DocumentType(
    "Rollout", blank: ReleaseRollout(release: Release(version: ""), rollout: nil)
  ) {
    DocumentMember("version", \.release.version, .text, example: "1.4.0")
    DocumentMember("build", nonEmpty: \.release.build, .text, example: "512")
    DocumentMember(
      "percent", \.percent, .count, "The share of installations that are offered it.", example: 25)
    DocumentMember(
      "is_partial", \.isPartial, .flag, "Whether it ever had a partial roll-out.")
    DocumentMember("pause", optional: \.pause, .text, "Why it is paused.")
    DocumentMember(
      "look", optional: \.look, .object(RolloutCheck.declaration),
      "The last check of its crash rate.")
    DocumentMember(
      "untested", optional: \.untested, .text,
      "After the action `check`: why it could not be tested.")
  }

  private var percent: Int {
    get { rollout?.percent ?? 100 }
    set { rollout = Rollout(percent: newValue, pause: rollout?.pause) }
  }

  private var isPartial: Bool {
    get { rollout != nil }
    set { if !newValue { rollout = nil } }
  }

  private var pause: String? {
    get { rollout?.pause }
    set { rollout?.pause = newValue }
  }
}

extension RolloutCheck: Documented {
  package static let declaration = DocumentType(
    "RolloutCheck",
    blank: RolloutCheck(
      number: 1, time: 0, new: RolloutTest.Sessions(crashed: 0, all: 0), crashedInstalls: 0,
      formerRelease: "", former: RolloutTest.Sessions(crashed: 0, all: 0), pValue: 1)
  ) {
    DocumentMember("number", \.number, .count, "From 1.")
    DocumentMember("time", \.moment, .time)
    DocumentMember("test", derived: { _ in RolloutTest.name }, .text)
    DocumentMember("crashed", \.new.crashed, .count, "Sessions of the release that crashed.")
    DocumentMember("sessions", \.new.all, .count)
    DocumentMember(
      "crashed_users", \.crashedInstalls, .count, "The number of its installations that crashed.")
    DocumentMember(
      "former", \.formerRelease, .text, "The release it is compared with.",
      example: "1.3.0 (500)")
    DocumentMember("former_crashed", \.former.crashed, .count)
    DocumentMember("former_sessions", \.former.all, .count)
    DocumentMember("p", \.pValue, .number, example: 0.013)
    DocumentMember(
      "level", derived: { $0.level }, .number, "The level that p must be below.", example: 0.005)
    DocumentMember("text", derived: { $0.text }, .text)
  }

  private var moment: Timestamp {
    get { Timestamp(microseconds: time) }
    set { time = newValue.microseconds }
  }
}

extension ReleaseFigures.Day: Documented {
  package static let declaration = DocumentType(
    "AdoptionDay",
    blank: ReleaseFigures.Day(
      start: .zero, sessions: 0, allSessions: 0, installs: 0, allInstalls: 0)
  ) {
    DocumentMember("day", \.start, .day)
    DocumentMember("sessions", \.sessions, .count, "Sessions of the release.")
    DocumentMember("all_sessions", \.allSessions, .count, "Sessions of the app.")
    DocumentMember("users", \.installs, .count, "Distinct installations of the release.")
    DocumentMember("all_users", \.allInstalls, .count, "Distinct installations of the app.")
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
    DocumentMember("reports", \.reports, .count, "Reports of the release.")
  }
}

extension ReleaseFigures.TopItems where Item == ReleaseFigures.Group {
  fileprivate static var declaration: DocumentType<Self> {
    DocumentType("ReleaseGroups", blank: Self()) {
      DocumentMember(
        "items", \.items, .list(.object(Item.declaration)), "The first groups, by reports.")
      DocumentMember("total", \.total, .count)
    }
  }
}

extension ReleaseFigures.TopItems where Item == MissingImage {
  fileprivate static var missing: DocumentType<Self> {
    DocumentType("ReleaseImages", blank: Self()) {
      DocumentMember("items", \.items, .list(.document), "The first, by the reports they explain.")
      DocumentMember("total", \.total, .count)
    }
  }
}
