import Identifiers
import ServerStore
import Testing

@testable import Alerts

@Suite("Times of alerts")
struct AlertScheduleTests {
  private static func time(_ text: String) -> Timestamp { Timestamp(text) ?? Timestamp(seconds: 0) }

  private func rule(_ digest: String, quiet: String? = nil, zone: String = "UTC") throws
    -> AlertRule
  {
    var rule = AlertRule(.newGroup, to: "x", created: Timestamp(seconds: 0), author: "")
    rule.digest = try #require(AlertDigest(digest))
    rule.quiet = try quiet.map { try #require(QuietHours($0)) }
    rule.zone = try #require(DayMinute.readZone(zone))
    return rule
  }

  @Test(
    "A digest is due at its time",
    arguments: [
      ("immediately", "UTC", "2026-11-24T10:20:30Z", "2026-11-24T10:20:30Z"),
      ("hourly", "UTC", "2026-11-24T10:20:30Z", "2026-11-24T11:00:00Z"),
      ("hourly", "UTC", "2026-11-24T10:00:00Z", "2026-11-24T11:00:00Z"),
      ("hourly", "+05:30", "2026-11-24T10:20:30Z", "2026-11-24T10:30:00Z"),
      ("09:00", "UTC", "2026-11-24T08:59:59Z", "2026-11-24T09:00:00Z"),
      ("09:00", "UTC", "2026-11-24T09:00:01Z", "2026-11-25T09:00:00Z"),
      ("09:00", "+01:00", "2026-11-24T07:00:00Z", "2026-11-24T08:00:00Z"),
      ("00:30", "-08:00", "2026-11-24T08:00:00Z", "2026-11-24T08:30:00Z"),
      ("23:00", "-08:00", "2026-11-24T08:00:00Z", "2026-11-25T07:00:00Z"),
    ])
  func digests(digest: String, zone: String, since: String, due: String) throws {
    let schedule = AlertSchedule(of: try rule(digest, zone: zone))
    #expect(schedule.due(since: Self.time(since), last: nil) == Self.time(due))
  }

  @Test("An event before a digest that was noticed after it belongs to the next")
  func late() throws {
    let (since, last) = (Self.time("2026-11-24T08:59:59Z"), Self.time("2026-11-24T09:00:03Z"))
    for (digest, due) in [("hourly", "2026-11-24T10:00:00Z"), ("09:00", "2026-11-25T09:00:00Z")] {
      let schedule = AlertSchedule(of: try rule(digest))
      #expect(schedule.due(since: since, last: last) == Self.time(due))
    }
  }

  @Test("Alerts within a minute are sent together")
  func together() throws {
    let schedule = AlertSchedule(of: try rule("immediately"))
    let (last, since) = (Self.time("2026-11-24T10:20:00Z"), Self.time("2026-11-24T10:20:10Z"))
    #expect(!schedule.isDue(since: since, last: last, now: Self.time("2026-11-24T10:20:59Z")))
    #expect(schedule.isDue(since: since, last: last, now: Self.time("2026-11-24T10:21:00Z")))
  }

  @Test(
    "What was noted while the clock was ahead does not wait for the clock",
    arguments: ["immediately", "hourly", "09:00"])
  func clockAhead(digest: String) throws {
    let schedule = AlertSchedule(of: try rule(digest, quiet: "22:00-07:00"))
    let (ahead, now) = (Self.time("2027-11-24T10:20:00Z"), Self.time("2026-11-24T10:20:10Z"))
    #expect(schedule.isDue(since: ahead, last: ahead, now: now))
    #expect(schedule.isDue(since: ahead, last: nil, now: now))
    #expect(!schedule.isDue(since: ahead, last: ahead, now: Self.time("2026-11-24T23:00:00Z")))
    let since = Self.time("2026-11-23T08:59:00Z")
    #expect(schedule.isDue(since: since, last: ahead, now: now))
  }

  @Test(
    "What happens in quiet hours is sent when they are over",
    arguments: [
      ("22:00-07:00", "UTC", "2026-11-24T21:59:59Z", false),
      ("22:00-07:00", "UTC", "2026-11-24T22:00:00Z", true),
      ("22:00-07:00", "UTC", "2026-11-25T06:59:59Z", true),
      ("22:00-07:00", "UTC", "2026-11-25T07:00:00Z", false),
      ("22:00-07:00", "+01:00", "2026-11-24T21:00:00Z", true),
      ("22:00-07:00", "+01:00", "2026-11-25T06:00:00Z", false),
      ("12:00-13:00", "UTC", "2026-11-25T12:30:00Z", true),
      ("12:00-13:00", "UTC", "2026-11-25T13:00:00Z", false),
    ])
  func quiet(hours: String, zone: String, now: String, isQuiet: Bool) throws {
    let schedule = AlertSchedule(of: try rule("immediately", quiet: hours, zone: zone))
    #expect(schedule.isQuiet(at: Self.time(now)) == isQuiet)
    #expect(
      schedule.isDue(since: Self.time("2026-11-24T21:00:00Z"), last: nil, now: Self.time(now))
        == !isQuiet)
  }

  @Test("Quiet hours within a time span are counted")
  func quietSeconds() throws {
    let schedule = AlertSchedule(of: try rule("immediately", quiet: "22:00-07:00", zone: "+01:00"))
    for (start, end, hours) in [
      ("2026-11-24T12:00:00Z", "2026-11-24T21:00:00Z", 0),
      ("2026-11-24T12:00:00Z", "2026-11-25T01:00:00Z", 4),
      ("2026-11-24T23:00:00Z", "2026-11-25T12:00:00Z", 7),
      ("2026-11-24T23:00:00Z", "2026-11-27T22:00:00Z", 26),
      ("2026-11-25T12:00:00Z", "2026-11-24T12:00:00Z", 0),
    ] {
      let seconds = schedule.quietSeconds(from: Self.time(start), to: Self.time(end))
      #expect(seconds == Int64(hours) * 3_600, "\(start) \(end)")
    }
    let (start, end) = (Self.time("2026-11-24T12:00:00Z"), Self.time("2026-11-26T12:00:00Z"))
    #expect(try AlertSchedule(of: rule("hourly")).quietSeconds(from: start, to: end) == 0)
  }

  @Test(
    "Invalid times of day are refused",
    arguments: ["24:00", "9:00", "09:60", "0900", "", "09:00:00", "-9:00", "０９:００"])
  func wrongTimes(text: String) {
    #expect(DayMinute.read(text) == nil)
    #expect(AlertDigest(text) == nil)
    #expect(QuietHours(text + "-10:00") == nil)
    #expect(DayMinute.readZone("+" + text) == nil)
  }

  @Test("Times are printed in the format in which they are read")
  func printed() throws {
    for text in ["immediately", "hourly", "00:00", "07:05", "23:59"] {
      #expect(AlertDigest(text)?.text == text)
    }
    #expect(QuietHours("22:00-07:00")?.text == "22:00-07:00")
    #expect(QuietHours("07:00-07:00") == nil)
    for text in ["UTC", "+05:30", "-08:00"] {
      #expect(DayMinute.zoneText(try #require(DayMinute.readZone(text))) == text)
    }
    #expect(DayMinute.readZone("+15:00") == nil)
  }
}
