/// A stack as the rules see it: what a search for similar stacks and a regrouping need, without
/// symbols or the raw report.
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

  /// Youngest first; repeated turns of a recursion taken once.
  public var calls: [Call]
  /// The exception's class, the sanitizer's verdict or the fault: alike in related crashes, but no
  /// part of a key.
  public var type: String?

  public init(calls: [Call], type: String? = nil) {
    self.calls = calls
    self.type = type
  }
}
