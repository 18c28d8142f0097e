internal import CrashModel
internal import CrashService
package import CrashStore
package import JSON

/// Apps, a line each.
package struct AppList {
  package let apps: [AppRecord]

  package func lines(width: Int, styles: Styles) -> [String] {
    // Only apps of App Center have secrets.
    let hasSecrets = apps.contains { !$0.secrets.isEmpty }
    var table = TextTable(
      [.text("APP", .atEnd), .text("GROUP IDS"), .text("KEEPS", .atEnd), .text("INTAKE KEY")]
        + (hasSecrets ? [.text("APP SECRETS", .atEnd)] : []))
    for app in apps {
      table.add(
        [app.name.printable, "\(app.prefix)-…", Self.retention(app.retention), app.intakeKey]
          + (hasSecrets ? [app.secrets.map(Self.shortened).joined(separator: ", ")] : []))
    }
    return table.lines(width: width, styles: styles)
  }

  /// A secret is told so far that one knows it again.
  package static func shortened(_ secret: String) -> String {
    String(secret.prefix(8)).printable + "…"
  }

  /// `90 days, 10.0 GB, 1000 a group`
  package static func retention(_ retention: Retention) -> String {
    var parts: [String] = []
    if let days = retention.days { parts.append(GroupText.count(days, "day", "days")) }
    if let bytes = retention.bytes { parts.append(DebugFileList.size(bytes)) }
    if let perGroup = retention.perGroup { parts.append("\(perGroup) a group") }
    return parts.isEmpty ? "everything" : parts.joined(separator: ", ")
  }

  package init(apps: [AppRecord]) {
    self.apps = apps
  }
}

extension JSONWriter {
  package mutating func write(_ app: AppRecord) {
    beginObject()
    member("name", app.name)
    member("prefix", app.prefix)
    member("intake_key", app.intakeKey)
    member("app_secrets", app.secrets.map(AppList.shortened))
    key("keep")
    beginObject()
    member("days", app.retention.days)
    member("bytes", app.retention.bytes)
    member("per_group", app.retention.perGroup)
    endObject()
    endObject()
  }
}
