import CrashModel
import Testing

@testable import Query

@Suite struct QueryParserTests {
  static let now = Timestamp(seconds: 1_780_000_000)  // 2026-05-28T20:26:40Z
}
