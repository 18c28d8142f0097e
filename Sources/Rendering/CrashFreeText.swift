internal import APIDocuments
internal import Documents
internal import CrashModel
package import CrashService
internal import CrashStore

/// Crash-free rates of apps, with what they are made of.
package struct CrashFreeText {
  package let lines: [AppCrashFree]

  /// How a rate is made, for whoever reads one.
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
    return table.lines(width: width, styles: styles) + ["", AppCrashFree.formula]
  }

  /// Two digits, rounded down: 100 % is shown only where nothing crashed.
  package static func percent(_ rate: Double?) -> String {
    guard let rate else { return "-" }
    let hundredths = Int(rate * 10_000 + 1e-6)
    let digits = String(hundredths % 100)
    return "\(hundredths / 100).\(digits.count < 2 ? "0" : "")\(digits) %"
  }

  package init(lines: [AppCrashFree]) {
    self.lines = lines
  }
}
