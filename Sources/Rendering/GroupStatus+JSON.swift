internal import CrashService
package import CrashModel
package import JSON

extension JSONWriter {
  /// The decision about a group: members beside `state`.
  package mutating func writeDecisions(about group: GroupSummary) {
    let status = group.status
    member("state_since", status.time?.description)
    member("state_by", status.author)
    if let fix = status.fix {
      key("fixed")
      beginObject()
      member("how", fix.kind.rawValue)
      member("version", fix.release?.version)
      member("build", fix.release.flatMap { $0.build.isEmpty ? nil : $0.build })
      endObject()
    }
    if let ignore = status.ignore {
      key("ignored_until")
      beginObject()
      member("reports", ignore.reports)
      member("users", ignore.users)
      member("time", ignore.until?.description)
      endObject()
    }
    member("assignee", group.assignee)
    if !group.merged.isEmpty { member("merged", group.merged) }
  }
}
