internal import CrashModel

/// Messages in place of unknown functions.
extension SignatureMaker {
  /// The first frame that has only a source file of the app: code outside any function.
  func file(
    _ frames: ArraySlice<ClassifiedFrame>, _ circumstances: CrashCategoryDecision
  ) -> (index: Int, name: String)? {
    let start = circumstances.stack.startIndex
    for index in frames.indices where frames[index].frameClass == .void {
      guard let path = circumstances.stack[start + frames[index].index].file,
        SourceOwner.outsideRule(path) == nil,
        let name = AssertionText.fileName(BundleName.file(path))
      else { continue }
      return (index, name)
    }
    return nil
  }

  /// The program's message for a title without a function of the app, or the kind of crash for one of modules
  /// alone. They are not in the key: they are dropped when the functions become known.
  func wordsStep(_ report: CrashReport, _ analysed: AnalysedReport, _ text: String)
    -> SignatureStep?
  {
    let circumstances = analysed.circumstances
    guard circumstances.leadingTokens.isEmpty, !report.isNamedByKernel,
      !analysed.walk.used.isEmpty, !analysed.namesApp
    else { return nil }
    var subject = "reason.message"
    var words: String?
    if let message = report.spokenMessage(rules) {
      let assertion = AssertionText(message, rules)
      // A sanitizer's description of the fault differs from run to run.
      if report.format != .sanitizer || assertion.file != nil, let said = assertion.text {
        words = [assertion.file, said].compactMap { $0 }.joined(separator: ": ")
      }
    }
    if report.reason.type == "EXC_RESOURCE" {
      (subject, words) = ("reason", CrashCategoryDecision.measured(report))
    } else if words == nil, !analysed.namesLocation {
      (subject, words) = ("reason", kind(of: report))
    }
    guard let words, words != "deadly signal", !text.hasPrefix(words + " | ") else { return nil }
    return SignatureStep(subject: subject, result: words, rule: Signature.titleRule, used: true)
  }
}

extension SignatureMaker.AnalysedReport {
  /// Whether a named function of the app is in the text.
  fileprivate var namesApp: Bool {
    frames[...].firstPosition {
      $0.frameClass == .app && !$0.isLocated && walk.used.contains($0.index)
    } != nil
  }

  /// Whether a platform's function or a location in the app is in the text.
  fileprivate var namesLocation: Bool {
    frames[...].firstPosition {
      walk.used.contains($0.index)
        && ($0.isLocated
          || [.system, .glue, .death].contains($0.frameClass) && $0.isNamed)
    } != nil
  }
}

extension CrashReport {
  /// The program's own message: neither a kernel's line about a program's fault, nor a framework's note of
  /// what ran.
  func spokenMessage(_ rules: RulesVersion) -> String? {
    guard let message = reason.message, format != Self.kernelFault else { return nil }
    guard message.utf8.count <= SigningLimits.messageBytes, crumb(rules) != nil else {
      return message
    }
    let lines = message.split { $0 == "\n" || $0 == "\r\n" }.filter {
      Self.crumb($0, rules) == nil
    }
    return lines.isEmpty ? nil : lines.joined(separator: "\n")
  }

  /// The rule that takes a line of the message for a note of what ran.
  func crumb(_ rules: RulesVersion) -> String? {
    reason.message?.prefix(SigningLimits.messageBytes).split { $0 == "\n" || $0 == "\r\n" }.lazy
      .compactMap { Self.crumb($0, rules) }.first
  }

  private static func crumb(_ line: Substring, _ rules: RulesVersion) -> String? {
    rules.crumbs.match(Scrubbing.scrub(String(line), limit: SigningLimits.nameBytes))?.id
  }

  private static let kernelFault = ReportFormat("linux-fault")
}
