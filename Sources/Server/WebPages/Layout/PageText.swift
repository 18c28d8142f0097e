internal import CrashStore
internal import Identifiers
internal import Rendering
internal import TriageModel

/// Formats numbers and times for pages.
enum PageText {
  /// `1,234,567`
  static func number(_ number: Int) -> String {
    var text = ""
    for (index, digit) in String(number.magnitude).reversed().enumerated() {
      if index > 0, index % 3 == 0 { text.append(",") }
      text.append(digit)
    }
    return (number < 0 ? "-" : "") + String(text.reversed())
  }

  /// `1 report`, `1,234 reports`
  static func count(_ number: Int, _ one: String, _ many: String) -> String {
    "\(Self.number(number)) \(number == 1 ? one : many)"
  }

  /// `the reports of Tern`, in a sentence.
  static func reports(of app: String) -> String {
    app == AppName.unnamed ? "the reports without an app name" : "the reports of \(app)"
  }

  /// `3 h ago`, the time in UTC on hover; a script adds the local one.
  static func time(_ time: Timestamp?, now: Timestamp) -> HTML {
    guard let time else { return .none }
    return """
      <time datetime="\(time.description)" title="\(ReportFacts.time(time))">\(ago(time, now: now))</time>
      """
  }

  static func ago(_ time: Timestamp, now: Timestamp) -> String {
    let (seconds, overflow) = now.seconds.subtractingReportingOverflow(time.seconds)
    if overflow || seconds < 0 { return GroupText.day(time) }
    switch seconds {
    case ..<60: return "now"
    case ..<3_600: return "\(seconds / 60) min ago"
    case ..<86_400: return "\(seconds / 3_600) h ago"
    case ..<(60 * 86_400): return "\(seconds / 86_400) d ago"
    default: return GroupText.day(time)
    }
  }

  /// `2026-03-02`, in one piece on its line.
  static func day(_ time: Timestamp) -> HTML { "<time>\(GroupText.day(time))</time>" }

  /// `2026-02-11 to 2026-03-02`
  static func days(_ first: Timestamp?, _ last: Timestamp?) -> HTML {
    guard let from = first ?? last, let to = last ?? first else { return .none }
    return GroupText.day(from) == GroupText.day(to) ? day(from) : "\(day(from)) to \(day(to))"
  }

  static func status(_ state: GroupState) -> HTML {
    "<span class=\"state \(state.rawValue)\">\(state.rawValue)</span>"
  }
}
