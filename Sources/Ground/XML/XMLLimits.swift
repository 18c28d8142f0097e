/// How much of an XML document is read before it is refused.
public struct XMLLimits: Sendable, Hashable {
  /// The length of the document, in bytes.
  public var bytes: Int
  /// Elements within elements.
  public var depth: Int
  /// Elements in all.
  public var elements: Int
  /// The length of all texts and attributes, in bytes.
  public var textBytes: Int

  public init(bytes: Int, depth: Int, elements: Int, textBytes: Int) {
    self.bytes = bytes
    self.depth = depth
    self.elements = elements
    self.textBytes = textBytes
  }
}
