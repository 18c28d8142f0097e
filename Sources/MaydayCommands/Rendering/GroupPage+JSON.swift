import CrashModel
import CrashStore
import JSON
import ReportDocument

extension JSONWriter {
  mutating func write(_ page: GroupPage) {
    beginObject()
    writeMembers(of: page.group)
    key("breakdown")
    write(page.breakdown)
    key("recent")
    beginArray()
    for report in page.recent { write(report) }
    endArray()
    key("history")
    beginArray()
    for event in page.history { write(event) }
    endArray()
    key("report")
    page.exemplar.report.write(
      to: &self, id: page.exemplar.id, received: page.exemplar.received)
    endObject()
  }

  private mutating func write(_ breakdown: GroupBreakdown) {
    beginObject()
    member("reports_of_app", breakdown.reportsOfApp)
    key("versions")
    beginArray()
    for version in breakdown.versions {
      beginObject()
      member("version", version.name)
      member("reports", version.reports)
      member("first_day", GroupText.day(version.firstDay))
      member("last_day", GroupText.day(version.lastDay))
      endObject()
    }
    endArray()
    write("systems", breakdown.systems)
    write("devices", breakdown.devices)
    key("days")
    beginArray()
    for day in breakdown.days {
      beginObject()
      member("day", GroupText.day(day.start))
      member("reports", day.reports)
      endObject()
    }
    endArray()
    endObject()
  }

  private mutating func write(_ name: String, _ ranking: GroupBreakdown.Ranking) {
    key(name)
    beginObject()
    key("top")
    beginArray()
    for share in ranking.top {
      beginObject()
      member("name", share.name)
      member("reports", share.reports)
      endObject()
    }
    endArray()
    member("others", ranking.others)
    member("reports_of_others", ranking.reportsOfOthers)
    endObject()
  }
}
