package import CrashService
internal import CrashModel
internal import CrashStore
package import JSON
internal import ReportDocument

extension JSONWriter {
  package mutating func write(_ answer: GroupOverview) {
    beginObject()
    writeMembers(of: answer.group)
    if let breakdown = answer.breakdown {
      key("breakdown")
      write(breakdown)
      key("recent")
      beginArray()
      for report in answer.recent { write(report) }
      endArray()
    }
    key("history")
    beginArray()
    for event in answer.history { write(event) }
    endArray()
    if let exemplar = answer.exemplar {
      key("report")
      exemplar.write(to: &self)
    }
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
