import CrashStore
import JSON

/// Apps, a line each.
struct AppList {
  let apps: [AppRecord]

  func lines(width: Int, styles: Styles) -> [String] {
    var table = TextTable([
      .text("APP", .atEnd), .text("GROUP IDS"), .text("KEEPS", .atEnd), .text("INTAKE KEY"),
    ])
    for app in apps {
      table.add([
        app.name.printable, "\(app.prefix)-…", Self.retention(app.retention), app.intakeKey,
      ])
    }
    return table.lines(width: width, styles: styles)
  }

  /// `90 days, 10.0 GB, 1000 a group`
  static func retention(_ retention: Retention) -> String {
    var parts: [String] = []
    if let days = retention.days { parts.append(GroupText.count(days, "day", "days")) }
    if let bytes = retention.bytes { parts.append(DebugFileList.size(bytes)) }
    if let perGroup = retention.perGroup { parts.append("\(perGroup) a group") }
    return parts.isEmpty ? "everything" : parts.joined(separator: ", ")
  }
}

extension JSONWriter {
  mutating func write(_ app: AppRecord) {
    beginObject()
    member("name", app.name)
    member("prefix", app.prefix)
    member("intake_key", app.intakeKey)
    key("keep")
    beginObject()
    member("days", app.retention.days)
    member("bytes", app.retention.bytes)
    member("per_group", app.retention.perGroup)
    endObject()
    endObject()
  }
}
