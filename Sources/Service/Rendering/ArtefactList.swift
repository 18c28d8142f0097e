internal import Bytes
package import CrashStore
internal import Identifiers
package import Updates

/// The files of releases, one per line, newest first.
package struct ArtefactList {
  package let artefacts: [Artefact]
  /// The names of groups and testers by id.
  private let names: [String: String]

  package init(artefacts: [Artefact], groups: [DistributionGroup], testers: [Tester]) {
    self.artefacts = artefacts
    names = Dictionary(groups.map { ($0.id, $0.name) } + testers.map { ($0.id, $0.email) }) {
      first, _ in first
    }
  }

  package func lines(width: Int, styles: Styles) -> [String] {
    var table = TextTable([
      .number("NO"), .text("RELEASE", .atEnd), .text("FILE", .atEnd), .number("SIZE"),
      .text("UPLOADED"), .text("PUBLISHED TO", .atEnd),
    ])
    for artefact in artefacts {
      table.add(
        [
          "#\(artefact.number)", artefact.release.name.printable, artefact.fileName.printable,
          DebugFileList.size(artefact.size), GroupText.day(artefact.uploaded), published(artefact),
        ], style: artefact.isEnabled ? nil : styles.dim)
    }
    return table.lines(width: width, styles: styles)
  }

  private func published(_ artefact: Artefact) -> String {
    let audience = artefact.destinations.map { destination in
      (names[destination.id] ?? destination.id) + (destination.isMandatory ? " (mandatory)" : "")
    }
    let text = audience.isEmpty ? "nobody" : audience.sorted().joined(separator: ", ")
    return (artefact.isEnabled ? text : "disabled; \(text)").printable
  }
}

/// Distribution groups, one per line.
package struct DistributionGroupList {
  package let groups: [DistributionGroup]
  package let testers: [Tester]

  package init(groups: [DistributionGroup], testers: [Tester]) {
    self.groups = groups
    self.testers = testers
  }

  package func lines(width: Int, styles: Styles) -> [String] {
    var table = TextTable([.text("GROUP", .atEnd), .text("KIND"), .number("TESTERS"), .text("ID")])
    for group in groups {
      table.add([
        group.name.printable, group.isPublic ? "public" : "private",
        String(testers.count { $0.groups.contains(group.id) }), group.id,
      ])
    }
    return table.lines(width: width, styles: styles)
  }
}

/// Mails to testers, one per line.
package struct TesterMailList {
  package let mails: [TesterMail]

  package init(mails: [TesterMail]) { self.mails = mails }

  package func lines(width: Int, styles: Styles) -> [String] {
    var table = TextTable([
      .number("NO"), .text("TIME"), .text("TO", .atEnd), .text("ABOUT", .atEnd), .text("STATE"),
      .number("TRIES"), .text("ANSWER", .atEnd),
    ])
    for mail in mails {
      let about =
        mail.kind == .invitation
        ? "invitation" : mail.releases.map(\.name).joined(separator: ", ").printable
      table.add([
        "\(mail.number)", String(mail.created.description.prefix(19)) + "Z",
        mail.email.printable, about, mail.state.rawValue, "\(mail.attempts)",
        mail.answer?.printable ?? "",
      ])
    }
    return table.lines(width: width, styles: styles)
  }
}

/// Testers, one per line.
package struct TesterList {
  package let testers: [Tester]
  package let groups: [DistributionGroup]

  package init(testers: [Tester], groups: [DistributionGroup]) {
    self.testers = testers
    self.groups = groups
  }

  package func lines(width: Int, styles: Styles) -> [String] {
    var table = TextTable([
      .text("TESTER", .atEnd), .text("STATE"), .text("LAST SEEN"), .text("GROUPS", .atEnd),
    ])
    for tester in testers {
      let names = groups.filter { tester.groups.contains($0.id) }.map(\.name)
      table.add([
        tester.email.printable, Self.state(of: tester),
        tester.lastSeen.map(GroupText.day) ?? "never",
        names.joined(separator: ", ").printable,
      ])
    }
    return table.lines(width: width, styles: styles)
  }

  /// `accepted`, `invited`; `expired` without an open invitation.
  package static func state(of tester: Tester) -> String {
    let state =
      tester.hasAccepted ? "accepted" : tester.invitedUntil == nil ? "expired" : "invited"
    return state + (tester.isUnsubscribed ? ", no mails" : "")
  }
}
