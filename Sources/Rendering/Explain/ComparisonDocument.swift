package import CrashService
internal import CrashModel
package import JSON

extension JSONWriter {
  package mutating func write(_ comparison: Comparison) {
    beginObject()
    member("same_key", comparison.isOneKey)
    member("same_group", comparison.isOneGroup)
    member("verdict", comparison.verdict)
    member("reasons", comparison.reasons)
    member("first_difference", comparison.firstDifference)
    key("steps")
    beginArray()
    for row in comparison.rows {
      beginObject()
      member("same", row.isSame)
      write("a", row.first)
      write("b", row.second)
      endObject()
    }
    endArray()
    key("a")
    write(comparison.first)
    key("b")
    write(comparison.second)
    endObject()
  }

  private mutating func write(_ side: String, _ step: SignatureStep?) {
    guard let step else { return }
    key(side)
    beginObject()
    member("frame", step.frame)
    if step.frame == nil { member("subject", step.subject) }
    member("name", step.result)
    member("class", step.frameClass)
    member("rule", step.rule)
    member("in_text", step.used)
    endObject()
  }
}
