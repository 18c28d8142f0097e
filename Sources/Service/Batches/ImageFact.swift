package import Bytes
public import CrashModel
public import Identifiers

/// An image without a debug file.
public struct ImageFact: Hashable, Sendable {
  public var name: String
  public var debugID: DebugID?
  public var codeID: CodeID?
  public var architecture: Architecture?
  /// Whether a report has a frame of the app's own, or of unknown code, in it.
  public var isOwn: Bool

  public init(_ image: LoadedImage, isOwn: Bool) {
    name = image.name
    debugID = image.debugID
    codeID = image.codeID
    architecture = image.architecture
    self.isOwn = isOwn
  }

  /// The bytes that are equal for one image of different reports: the debug id or, without one, the name.
  public var identityBytes: [UInt8] {
    debugID.map { [1] + Array($0.description.utf8) } ?? [0] + Array(name.utf8)
  }
}

extension ImageFact: BatchRecord {
  package static let section = BatchSection.images

  package static func records(of batch: Batch) -> [ImageFact] { batch.images }

  package static func append(_ record: ImageFact, to batch: inout Batch) {
    batch.images.append(record)
  }

  package static func order(_ left: ImageFact, _ right: ImageFact) -> Int {
    let order = TextOrder.compare(left.debugID?.description, right.debugID?.description)
    return order != 0 || left.debugID != nil ? order : TextOrder.compare(left.name, right.name)
  }

  public mutating func join(_ other: ImageFact) {
    let isOwn = isOwn || other.isOwn
    defer { self.isOwn = isOwn }
    // Nearly always, and bytes take longer to make.
    if name.utf8.elementsEqual(other.name.utf8), codeID == other.codeID,
      architecture == other.architecture
    {
      return
    }
    if other.precedes(self) { self = other }
  }

  /// Whether it says more: a name rather than `???`, then a code id and an architecture; if both say as much, the
  /// larger bytes, since `arm64e` is more exact than `arm64`.
  private func precedes(_ other: ImageFact) -> Bool {
    func rank(_ image: ImageFact) -> (Int, Int, Int) {
      let isNamed = image.name.contains { $0.isLetter || $0.isNumber }
      return (isNamed ? 0 : 1, image.codeID == nil ? 1 : 0, image.architecture == nil ? 1 : 0)
    }
    let (own, others) = (rank(self), rank(other))
    return own == others ? other.details.lexicographicallyPrecedes(details) : own < others
  }

  /// The facts that reports may tell differently about one build.
  private var details: [UInt8] {
    var image = self
    image.isOwn = false
    return image.encoded
  }

  package func write(to encoder: inout BatchEncoder) {
    encoder.text(debugID?.description)
    encoder.text(name)
    encoder.text(codeID?.description)
    encoder.text(architecture?.description)
    encoder.flag(isOwn)
  }

  package init(from decoder: inout BatchDecoder) throws(ParseError) {
    let debugID = try decoder.optionalText()
    name = try decoder.text()
    let codeID = try decoder.optionalText()
    let architecture = try decoder.optionalText()
    isOwn = try decoder.flag()
    self.debugID = debugID.flatMap { DebugID($0) }
    self.codeID = codeID.flatMap { CodeID($0) }
    self.architecture = architecture.map { Architecture($0) }
    guard (debugID == nil) == (self.debugID == nil), (codeID == nil) == (self.codeID == nil) else {
      throw decoder.error("a wrong id of an image")
    }
  }
}
