internal import APIDocuments
internal import Bytes
internal import CrashService
package import CrashStore
internal import Documents
internal import TriageModel

/// Apps, one per line.
package struct AppList {
  package let apps: [AppRecord]

  package func lines(width: Int, styles: Styles) -> [String] {
    // Only App Center apps have secrets.
    let hasSecrets = apps.contains { !$0.secrets.isEmpty }
    let hasTrackers = apps.contains { $0.tracker != nil }
    let hasProtections = apps.contains { !$0.protection.isEmpty }
    var table = TextTable(
      [.text("APP", .atEnd), .text("GROUP IDS"), .text("KEEPS", .atEnd), .text("INTAKE KEY")]
        + (hasSecrets ? [.text("APP SECRETS", .atEnd)] : [])
        + (hasTrackers ? [.text("TRACKER", .atEnd)] : [])
        + (hasProtections ? [.text("SEEN FROM ROLE", .atEnd)] : []))
    for app in apps {
      table.add(
        [app.name.printable, "\(app.prefix)-…", Self.retention(app.retention), app.intakeKey]
          + (hasSecrets ? [app.secrets.map(AppRecord.shortened).joined(separator: ", ")] : [])
          + (hasTrackers ? [app.tracker?.address.printable ?? ""] : [])
          + (hasProtections ? [Self.protection(app.protection)] : []))
    }
    return table.lines(width: width, styles: styles)
  }

  /// `user triage, submission triage`; empty if every role sees everything.
  private static func protection(_ protection: ReportProtection) -> String {
    ReportProtection.Part.allCases.compactMap { part in
      let reader = protection.leastReader(of: part)
      return reader == .viewer ? nil : "\(part.rawValue) \(reader.rawValue)"
    }.joined(separator: ", ")
  }

  /// The parts of an app's reports, each with the least role that sees it.
  package static func lines(
    for protection: ReportProtection, width: Int, styles: Styles
  ) -> [String] {
    var table = TextTable([.text("PART"), .text("SEEN FROM ROLE"), .text("WHAT", .atEnd)])
    for part in ReportProtection.Part.allCases {
      table.add([part.rawValue, protection.leastReader(of: part).rawValue, part.meaning])
    }
    return table.lines(width: width, styles: styles)
  }

  /// `90 days, 10.0 GB, 1000 a group, 500 a day`
  package static func retention(_ retention: Retention) -> String {
    var parts: [String] = []
    if let days = retention.days { parts.append(GroupText.count(days, "day", "days")) }
    if let bytes = retention.bytes { parts.append(DebugFileList.size(bytes)) }
    if let perGroup = retention.perGroup { parts.append("\(perGroup) a group") }
    if let perDay = retention.perDay {
      parts.append(perDay == 0 ? "any number a day" : "\(perDay) a day")
    }
    return parts.isEmpty ? "everything" : parts.joined(separator: ", ")
  }

  package init(apps: [AppRecord]) {
    self.apps = apps
  }
}
