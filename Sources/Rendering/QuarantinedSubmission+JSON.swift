internal import Pipeline
package import JSON
package import ServerStore
internal import CrashModel

extension JSONWriter {
  package mutating func write(_ record: QuarantinedSubmission) {
    beginObject()
    member("id", record.id)
    member("route", record.route)
    member("received", record.received.description)
    member("size", record.size)
    member("attempts", record.attempts)
    member("problem", record.problem)
    key("facts")
    beginObject()
    // A secret of an app is nothing to be shown.
    for (name, value) in record.facts.sorted(by: { $0.key < $1.key })
    where name != IntakeFact.secret {
      member(name, value)
    }
    endObject()
    endObject()
  }
}
