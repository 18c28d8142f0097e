/// A stack as the grouping rules see it: everything that a search for similar stacks needs, without symbols
/// or the raw report.
public struct NormalisedStack: Hashable, Sendable {
  /// One call: its normalised name, or its module in brackets, and its class.
  public struct Call: Hashable, Sendable {
    public var token: String
    public var frameClass: FrameClass

    public init(token: String, frameClass: FrameClass) {
      self.token = token
      self.frameClass = frameClass
    }
  }

  /// Youngest first; repeated turns of a recursion appear once.
  public var calls: [Call]
  /// The exception's class, the sanitizer's verdict or the signal: alike in related crashes, but not
  /// part of a key.
  public var type: String?

  public init(calls: [Call], type: String? = nil) {
    self.calls = calls
    self.type = type
  }

  /// The stack that a report's signature was made from; `nil` for a report without a signature.
  ///
  /// - Complexity: O(frames).
  public init?(of report: CrashReport) {
    guard let signature = report.signature else { return nil }
    self.init(signature, type: report.reason.shortType)
  }

  /// - Parameter type: ``CrashReason/shortType`` of the report.
  public init(_ signature: Signature, type: String?) {
    let calls = signature.steps.compactMap { step in
      step.frame == nil
        ? nil
        : step.frameClass.flatMap(FrameClass.init(rawValue:)).map {
          Call(token: step.result, frameClass: $0)
        }
    }
    // Unknown calls match no other call.
    var numbers: [String: UInt64] = [:]
    let kept = RecursionCycles.kept(
      calls.enumerated().map { index, call in
        if call.frameClass == .void { return UInt64(calls.count + index) }
        if let known = numbers[call.token] { return known }
        let number = UInt64(numbers.count)
        numbers[call.token] = number
        return number
      })
    self.init(calls: kept.map { $0.map { calls[$0] } } ?? calls, type: type)
  }
}

extension CrashReason {
  /// The reason at its shortest: the exception's class, or otherwise the type, or otherwise the signal.
  public var shortType: String? { exception?.type ?? type ?? signal }
}
