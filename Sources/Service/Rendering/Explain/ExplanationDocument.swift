internal import APIDocuments
internal import CrashModel
package import CrashService
internal import CrashStore
internal import Documents
internal import Grouping
internal import Identifiers
package import JSON

extension JSONWriter {
  package mutating func write(_ explanation: Explanation) {
    let signature = explanation.signature
    beginObject()
    member("report", explanation.id)
    member("app", explanation.app)
    member("text", signature.text)
    member("key", signature.key)
    member("category", signature.category.rawValue)
    member("provisional", signature.isProvisional)
    member("waits_for", signature.waitsFor.map(\.description))
    key("rules")
    beginObject()
    member("version", signature.rules)
    member("digest", explanation.report.engine?.rulesDigest)
    endObject()
    member("stack", explanation.stack)
    key("decisions")
    beginArray()
    for step in explanation.decisions {
      beginObject()
      member("subject", step.subject)
      member("result", step.result)
      member("rule", step.rule)
      endObject()
    }
    endArray()
    key("frames")
    beginArray()
    for step in explanation.frames { write(frame: step, explanation.ruleSet) }
    endArray()
    key("pieces")
    beginArray()
    for piece in explanation.pieces {
      beginObject()
      member("text", piece.text)
      key("frames")
      beginArray()
      for frame in piece.frames { integer(frame) }
      endArray()
      member("in_key", piece.isInKey)
      endObject()
    }
    endArray()
    key("alternatives")
    beginArray()
    for alternative in explanation.alternatives {
      beginObject()
      member("key", alternative.key)
      member("text", alternative.text)
      member("reading", alternative.reading)
      endObject()
    }
    endArray()
    if let membership = explanation.membership {
      member("group", membership.group)
      writeMembers(of: membership)
      if membership.reportMembership.home != membership.group {
        member("merged_from", membership.reportMembership.home)
      }
      key("nearest")
      beginArray()
      for group in explanation.nearest { write(group) }
      endArray()
    }
    endObject()
  }

  /// Writes how a report got into its group.
  package mutating func writeMembers(of membership: Explanation.Membership) {
    key("found")
    beginObject()
    member("by", membership.found.word)
    member("detail", membership.found.detail)
    endObject()
    member("owner_of_key", membership.ownerOfKey)
    member("split_from", membership.reportMembership.splitFrom)
    member("split_rule", membership.reportMembership.rule)
  }

  private mutating func write(frame step: SignatureStep, _ rules: GroupingRules) {
    beginObject()
    member("index", step.frame)
    member("raw", step.subject)
    member("name", step.result)
    member("class", step.frameClass)
    member("rule", step.rule)
    member("rule_text", rules.line(step.rule)?.text)
    member("in_text", step.used)
    member("left_out", step.leftOut?.rawValue)
    endObject()
  }
}
