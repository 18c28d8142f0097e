package import CrashModel
package import CrashStore
package import Documents

extension GroupVariants: Documented {
  package static let declaration = DocumentType(
    "GroupVariants", blank: GroupVariants(group: "", count: 0, variants: [])
  ) {
    DocumentMember("group", \.group, .text, example: "TERN-12")
    DocumentMember("count", \.count, .count, "The number of variants.")
    DocumentMember("variants", \.variants, .list(.document), "Most frequent first; at most 50.")
    DocumentMember(
      "looks_mixed", derived: { !$0.splits.isEmpty }, .flag, "Whether part may be another bug.")
    DocumentMember(
      "proposed_splits", nonEmpty: \.splits, .list(.document), "Variants that may be another bug.")
  }
}

extension ProposedSplit: Documented {
  /// The command that performs the split.
  package var command: String {
    "mayday split \(group)" + variants.map { " --variant \($0)" }.joined()
  }

  /// The likeness, from 0 to 1, as in documents.
  fileprivate var part: Double {
    get { likeness }
    set { millionths = Int((min(max(newValue, 0), 1) * 1_000_000).rounded()) }
  }

  package static let declaration = DocumentType(
    "ProposedSplit",
    blank: ProposedSplit(group: "", variants: [], reports: 0, compared: 0, millionths: 0)
  ) {
    DocumentMember("group", \.group, .text, example: "TERN-12")
    DocumentMember("variants", \.variants, .list(.text), example: ["3fa9c1d20b7e6a55"])
    DocumentMember("reports", \.reports, .count, "The number of reports with these variants.")
    DocumentMember("compared", \.compared, .count, "Reports of all compared variants.")
    DocumentMember(
      "likeness", \.part, .share, "Likeness of the most similar stacks here and in the rest.",
      example: 0.21)
    DocumentMember("command", derived: { $0.command }, .text, "The command that splits them off.")
  }
}

extension GroupVariant: Documented {
  package static let declaration = DocumentType(
    "GroupVariant",
    blank: GroupVariant(id: "", reports: 0, example: "", stack: NormalisedStack(calls: []))
  ) {
    DocumentMember(
      "id", \.id, .text, "16 hexadecimal digits; empty if the documents are damaged.",
      example: "3fa9c1d20b7e6a55")
    DocumentMember("reports", \.reports, .count, "The number of stored reports.")
    DocumentMember("example", \.example, .text, "The newest report.")
    DocumentMember("type", optional: \.stack.type, .text, example: "SIGSEGV")
    DocumentMember("calls", \.stack.calls, .list(.document), "Youngest first; at most 100.")
  }
}

extension NormalisedStack.Call: Documented {
  /// The word for the frame's class; classes of a newer server are unknown.
  fileprivate var word: String {
    get { frameClass.rawValue }
    set { frameClass = FrameClass(rawValue: newValue) ?? .void }
  }

  package static let declaration = DocumentType(
    "NormalisedCall", blank: NormalisedStack.Call(token: "", frameClass: .void)
  ) {
    DocumentMember(
      "name", \.token, .text, "The normalised function, or the module in brackets.",
      example: "tern::priceOf")
    DocumentMember(
      "class", \.word, .words(["app", "base", "death", "glue", "system", "unknown", "void"]))
  }
}
