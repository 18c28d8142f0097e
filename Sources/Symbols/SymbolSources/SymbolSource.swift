public import CrashModel

/// A source of debug files.
///
/// "There is none" is a result. A source that cannot tell, such as one whose database is locked, throws: a
/// failure is never a result and must not be cached as one.
public protocol SymbolSource: Sendable {
  /// The files that belong to `image`, the best first: with debug information before those with symbols only,
  /// and stripped ones last. Empty when none is known.
  func candidates(for image: LoadedImage) throws -> [DebugFile]

  /// Files with the id of `image` that are not candidates, with the reason: they are damaged, or contain code
  /// for another architecture. Like the candidates, they depend only on the id and the architecture.
  func unusable(for image: LoadedImage) throws -> [SymbolCandidate]

  /// The mappings that explain the frames of `image`, the best first. Empty when none is known.
  func mappings(for image: LoadedImage) throws -> [MappingFile]

  /// The mappings given explicitly for the reports being symbolicated, whatever ids these name.
  func givenMappings(of kind: MappingFile.Kind) throws -> [MappingFile]

  /// Files with the name of `image` that belong to another build or architecture, as a hint for the user; no
  /// more than `limit`.
  func namesakes(of image: LoadedImage, limit: Int) throws -> [SymbolCandidate]
}

extension SymbolSource {
  public func mappings(for image: LoadedImage) -> [MappingFile] { [] }
  public func givenMappings(of kind: MappingFile.Kind) -> [MappingFile] { [] }
  public func unusable(for image: LoadedImage) -> [SymbolCandidate] { [] }
  public func namesakes(of image: LoadedImage, limit: Int) -> [SymbolCandidate] { [] }
}
