package import CrashStore
package import Documents

extension RelatedGroup: Documented {
  /// The likeness, from 0 to 1, as in documents.
  fileprivate var part: Double {
    get { likeness }
    set { millionths = Int((min(max(newValue, 0), 1) * 1_000_000).rounded()) }
  }

  package static let declaration = DocumentType(
    "RelatedGroup",
    blank: RelatedGroup(
      id: "", app: "", title: "", reports: 0, millionths: 0, matchedFrames: 0, frames: 0)
  ) {
    DocumentMember("group", \.id, .text, example: "TERN-12")
    DocumentMember("app", \.app, .text, example: "Tern")
    DocumentMember("title", \.title, .text, example: "tern::priceOf")
    DocumentMember("reports", \.reports, .count)
    DocumentMember("likeness", \.part, .number, "From 0.3 to 1.", example: 0.87)
    DocumentMember(
      "matched_frames", \.matchedFrames, .count, "Matching frames of the most similar stacks.")
    DocumentMember("frames", \.frames, .count, "Frames of the longer of these stacks.")
    DocumentMember(
      "comparison", optional: \.comparison, .document, "Absent if its reports are not stored.")
    DocumentMember(
      "distinct", \.isDistinct, .flag, "Whether the two were marked as not the same.")
  }
}

extension RelatedGroup.FrameComparison: Documented {
  package static let declaration = DocumentType(
    "FrameComparison",
    blank: RelatedGroup.FrameComparison(matched: [], onlyHere: [], onlyThere: [])
  ) {
    DocumentMember("matched", \.matched, .list(.text), "Youngest first.", example: ["main"])
    DocumentMember("only_here", \.onlyHere, .list(.text), example: ["tern::priceOf"])
    DocumentMember("only_there", \.onlyThere, .list(.text), example: ["tern::times"])
  }
}
