/// How many of the images that a report's frames lie in have symbols.
public enum SymbolCoverage: Int, Sendable, Comparable, CaseIterable {
  /// Of none of them a debug file was found.
  case missing
  /// Of some of them.
  case partial
  /// Of all of them, or the report needs none.
  case full

  public init(of report: CrashReport) {
    self.init(of: report.images)
    let isFound = report.images.contains { $0.symbols?.verdict == .found }
    if self == .full, !isFound, report.isUnexplained { self = .missing }
  }

  private init(of images: [LoadedImage]) {
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

extension CrashReport {
  /// Whether it is a native crash of which nothing is known by name: it came without a stack, or all
  /// that stands on its stacks are addresses outside its images.
  fileprivate var isUnexplained: Bool {
    let exceptions = reason.exception?.stacks ?? .none
    let threads = threads.reduce(StackKnowledge.none) { max($0, StackKnowledge($1.frames)) }
    switch max(exceptions, threads) {
    case .none:
      return kind == .crash && reason.exception == nil
        && (reason.signal != nil || tags[.minidump] != nil)
    case .addresses: return true
    case .names: return false
    }
  }
}

/// How much the frames of stacks tell.
private enum StackKnowledge: Int, Comparable {
  /// There are no frames.
  case none
  /// Addresses outside the images.
  case addresses
  /// A function, or an image, of at least one.
  case names

  init(_ frames: [Frame]) {
    if frames.isEmpty {
      self = .none
    } else {
      self =
        frames.contains { $0.function != nil || $0.image != nil } ? .names : .addresses
    }
  }

  static func < (left: StackKnowledge, right: StackKnowledge) -> Bool {
    left.rawValue < right.rawValue
  }
}

extension LanguageException {
  /// How much its frames and its causes' tell.
  fileprivate var stacks: StackKnowledge {
    inner.reduce(StackKnowledge(frames)) { max($0, $1.stacks) }
  }
}
