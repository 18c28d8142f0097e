internal import CrashModel
package import CrashService
package import JSON
internal import Likeness

extension JSONWriter {
  package mutating func write(_ comparison: Comparison) {
    beginObject()
    member("same_key", comparison.isOneKey)
    member("same_group", comparison.isOneGroup)
    member("verdict", comparison.verdict)
    member("reasons", comparison.reasons)
    if let stacks = comparison.stacks { write(stacks) }
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

  private mutating func write(_ stacks: Comparison.Stacks) {
    key("stacks")
    beginObject()
    key("likeness")
    double(Double(stacks.likeness.millionths) / 1_000_000)
    member("matched_frames", stacks.likeness.matchedFrames)
    member("frames", stacks.frames)
    member("matched", stacks.matched)
    member("only_a", stacks.onlyFirst)
    member("only_b", stacks.onlySecond)
    if case .rule(let rule) = stacks.link { member("link_rule", rule.rawValue) }
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
