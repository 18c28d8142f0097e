public import CrashModel

/// A place where debug files may lie.
public protocol SymbolSource: Sendable {
  /// The files that belong to `image`, the best first: with debug information before those with
  /// symbols only, and stripped ones last. Empty when none is known.
  func candidates(for image: LoadedImage) -> [DebugFile]
}
