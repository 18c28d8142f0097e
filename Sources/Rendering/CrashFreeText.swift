internal import CrashModel
package import CrashService
internal import CrashStore
package import JSON

/// Crash-free rates of apps, with what they are made of.
package struct CrashFreeText {
  package let lines: [AppCrashFree]

  /// How a rate is made, for whoever reads one.
  package static let formula =
    "crash-free = 1 - crashed / all; handled errors do not count as crashes"

  package func lines(width: Int, styles: Styles) -> [String] {
    var table = TextTable([
      .text("APP", .atEnd), .number("CRASH-FREE SESSIONS"), .number("CRASHED"),
      .number("CRASH-FREE USERS"), .number("CRASHED"),
    ])
    for line in lines {
      let figures = line.figures
      table.add([
        line.app.printable, Self.percent(figures.sessionRate),
        "\(figures.crashedSessions) of \(figures.sessions)", Self.percent(figures.userRate),
        "\(figures.crashedInstalls) of \(figures.installs)",
      ])
    }
    return table.lines(width: width, styles: styles) + ["", Self.formula]
  }

  /// Two digits, rounded down: 100 % is said only where nothing crashed.
  private static func percent(_ rate: Double?) -> String {
    guard let rate else { return "-" }
    let hundredths = Int(rate * 10_000 + 1e-6)
    let digits = String(hundredths % 100)
    return "\(hundredths / 100).\(digits.count < 2 ? "0" : "")\(digits) %"
  }

  package func write(to writer: inout JSONWriter) {
    writer.beginArray()
    for line in lines {
      let figures = line.figures
      writer.beginObject()
      writer.member("app", line.app)
      writer.member("formula", Self.formula)
      for (key, all, crashed, rate) in [
        ("sessions", figures.sessions, figures.crashedSessions, figures.sessionRate),
        ("users", figures.installs, figures.crashedInstalls, figures.userRate),
      ] {
        writer.key(key)
        writer.beginObject()
        writer.member("all", all)
        writer.member("crashed", crashed)
        writer.member("crash_free", rate)
        writer.endObject()
      }
      writer.member("crashes", figures.crashes)
      writer.endObject()
    }
    writer.endArray()
  }

  package init(lines: [AppCrashFree]) {
    self.lines = lines
  }
}
