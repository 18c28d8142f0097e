internal import APIDocuments
internal import Bytes
package import CrashService
package import CrashStore
internal import Documents

/// Crash-free rates of apps, with their counts.
package struct CrashFreeText {
  package let lines: [AppCrashFree]

  /// Returns the rates, with an explanation of how they are computed.
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
    return table.lines(width: width, styles: styles) + reasons(width) + ["", AppCrashFree.formula]
  }

  /// Returns why an app has no rate.
  private func reasons(_ width: Int) -> [String] {
    let reasons = lines.flatMap { line in
      Self.reasons(of: line.figures).map { "\(line.app): \($0)" }
    }
    guard !reasons.isEmpty else { return [] }
    return [""] + reasons.flatMap { $0.printable.lines(of: max(20, width)) }
  }

  /// Returns why there is no rate of sessions or users; one line if the reason is the same.
  package static func reasons(of figures: CrashFree) -> [String] {
    switch (figures.sessionGap, figures.userGap) {
    case (let sessions?, let users?) where sessions == users: ["no crash-free rates: \(sessions)"]
    case (let sessions, let users):
      [
        sessions.map { "no rate of crash-free sessions: \($0)" },
        users.map { "no rate of crash-free users: \($0)" },
      ].compactMap(\.self)
    }
  }

  /// Returns reasons as a sentence; empty without any.
  package static func sentence(_ reasons: [String]) -> String {
    guard let first = reasons.first?.first else { return "" }
    return first.uppercased() + String(reasons.joined(separator: "; ").dropFirst()) + "."
  }

  /// Returns hangs and memory kills, which do not count as crashes; `nil` if there are none.
  package static func others(of figures: CrashFree) -> String? {
    let parts = [
      figures.hangs > 0 ? GroupText.count(figures.hangs, "hang", "hangs") : nil,
      figures.outOfMemory > 0
        ? GroupText.count(figures.outOfMemory, "memory kill", "memory kills") : nil,
    ].compactMap(\.self)
    return parts.isEmpty ? nil : parts.joined(separator: " and ") + " beside crashes"
  }

  /// Returns a rate with two digits, rounded down: 100 % is shown only if nothing crashed.
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
