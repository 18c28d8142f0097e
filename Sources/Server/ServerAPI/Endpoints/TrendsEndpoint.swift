internal import APIDocuments
internal import CrashService
internal import CrashStore
internal import Documents
package import HTTP
internal import Identifiers
internal import JSON
internal import Query
internal import Rendering
package import ServerCore
internal import TriageModel

/// Figures by day, week or month: `{"by", "from", "to", "items": [...]}`. The routes check the parameters.
package struct TrendsEndpoint {
  package let context: ServerContext

  /// The number of days of sessions without `from` and `to`, and the maximum.
  private static let sessionDays = (usual: 30, most: 366)

  /// Returns the number of reports for each period, including empty ones.
  package func reports(_ request: Request) throws -> Response {
    try .refusing {
      let (first, last) = try Self.days(request, atMost: TrendPoint.mostDays)
      let points = try context.service(for: request.head).trend(
        of: try context.query(of: request),
        from: first.map(TrendWindow.midnight), through: last.map(TrendWindow.midnight))
      let counts = Dictionary(
        points.map { (TrendWindow.day($0.day), $0.reports) }, uniquingKeysWith: +)
      let days = counts.keys.min().flatMap { first in counts.keys.max().map { first...$0 } }
      let period = Self.period(request)
      return Self.document(period, days) { writer in
        guard let days else { return }
        for part in period.periods(of: days) {
          let sum = part.days.reduce(0) { $0 + (counts[$1] ?? 0) }
          Self.write(part.start, sum, to: &writer)
        }
      }
    }
  }

  /// Returns the number of reports of groups for each period, without empty ones.
  package func groups(_ request: Request) throws -> Response {
    try .refusing {
      let ids = (request.query["groups"] ?? "").split(separator: ",").map(String.init)
      guard (1...APILimits.list.most).contains(ids.count) else {
        throw HTTPError.refused(
          .badRequest, "groups must be 1 to \(APILimits.list.most) comma-separated names",
          code: .invalidParameter, parameter: "groups")
      }
      let (first, last) = try Self.days(request, atMost: TrendPoint.mostDays * 2)
      guard let first, let last else { throw Self.wrongDays("from and to are required") }
      let counts = try context.service(for: request.head).dailyReports(
        of: try context.query(of: request), inGroups: ids,
        days: first..<(last + 1))
      let period = Self.period(request)
      return Self.document(period, first...last) { writer in
        for id in ids {
          var sums: [Int: Int] = [:]
          for (day, reports) in counts[id] ?? [:] {
            sums[period.start(of: day), default: 0] += reports
          }
          writer.beginObject()
          writer.member("group", id)
          writer.key("days")
          writer.beginArray()
          for (start, sum) in sums.sorted(by: { $0.key < $1.key }) {
            Self.write(start, sum, to: &writer)
          }
          writer.endArray()
          writer.endObject()
        }
      }
    }
  }

  /// Returns crash-free rates for each period, of one app or of all together.
  package func sessions(_ request: Request) throws -> Response {
    try .refusing {
      let (from, to) = try Self.days(request, atMost: Self.sessionDays.most)
      let last = to ?? from.map { $0 + Self.sessionDays.usual - 1 } ?? TrendWindow.day(.now)
      let first = from ?? last - Self.sessionDays.usual + 1
      let service = try context.service(for: request.head)
      let period = Self.period(request)
      var rates: [CrashFreePeriod] = []
      for part in period.periods(of: first...last) {
        let apps = try service.crashFree(
          of: request.query["app"], from: TrendWindow.midnight(part.days.lowerBound),
          to: TrendWindow.midnight(part.days.upperBound), version: request.query["version"])
        var sum = CrashFree()
        for app in apps { sum.add(app.figures) }
        rates.append(CrashFreePeriod(day: TrendWindow.midnight(part.start), figures: sum))
      }
      return Self.document(period, first...last) { writer in
        for rate in rates { writer.write(rate) }
      }
    }
  }

  private static func period(_ request: Request) -> TrendPeriod {
    request.query["by"].flatMap { TrendPeriod(rawValue: $0) } ?? .day
  }

  /// Returns `from` and `to` as days since 1970.
  private static func days(
    _ request: Request, atMost limit: Int
  ) throws -> (first: Int?, last: Int?) {
    func day(_ name: String) -> Int? {
      request.query[name].flatMap { Timestamp(day: $0) }.map { TrendWindow.day($0) }
    }
    let (first, last) = (day("from"), day("to"))
    if let first, let last {
      guard first <= last else { throw wrongDays("from is after to") }
      guard last - first < limit else { throw wrongDays("from and to span over \(limit) days") }
    }
    return (first, last)
  }

  private static func wrongDays(_ detail: String) -> HTTPError {
    .refused(.badRequest, detail, code: .invalidParameter, parameter: "from")
  }

  private static func document(
    _ period: TrendPeriod, _ days: ClosedRange<Int>?, _ items: (inout JSONWriter) -> Void
  ) -> Response {
    .document { writer in
      writer.beginObject()
      writer.member("by", period.rawValue)
      writer.member("from", days.map { GroupText.day(TrendWindow.midnight($0.lowerBound)) })
      writer.member("to", days.map { GroupText.day(TrendWindow.midnight($0.upperBound)) })
      writer.key("items")
      writer.beginArray()
      items(&writer)
      writer.endArray()
      writer.endObject()
    }
  }

  private static func write(_ start: Int, _ reports: Int, to writer: inout JSONWriter) {
    writer.write(TrendPoint(day: TrendWindow.midnight(start), reports: reports))
  }

  package init(context: ServerContext) {
    self.context = context
  }
}
