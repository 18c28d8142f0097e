/// How many of the images that a report's frames lie in have symbols.
public enum SymbolCoverage: Int, Sendable, Comparable {
  /// Of none of them a debug file was found.
  case missing
  /// Of some of them.
  case partial
  /// Of all of them, or the report needs none.
  case full

  public init(of images: [LoadedImage]) {
    var found = false
    var missing = false
    for image in images {
      switch image.symbols?.verdict {
      case .found: found = true
      case .missing, .stripped, .damaged: missing = true
      case .unneeded, nil: continue
      }
    }
    self = !missing ? .full : found ? .partial : .missing
  }

  public static func < (left: SymbolCoverage, right: SymbolCoverage) -> Bool {
    left.rawValue < right.rawValue
  }
}

extension SymbolCoverage: CustomStringConvertible {
  /// `missing`, `partial` or `full`.
  public var description: String {
    switch self {
    case .missing: "missing"
    case .partial: "partial"
    case .full: "full"
    }
  }
}
