/// The share of images containing frames of a report that have symbols.
public enum SymbolCoverage: Int, Sendable, Comparable, CaseIterable {
  /// None of the images has a debug file.
  case missing
  /// Some of the images have one.
  case partial
  /// All of the images have one, or the report needs none.
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
  /// Whether it is a native crash without any names: it came without a stack, or all the addresses on its
  /// stacks are outside its images.
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

/// The degree of knowledge about the frames of stacks.
private enum StackKnowledge: Int, Comparable {
  /// There are no frames.
  case none
  /// Addresses outside the images.
  case addresses
  /// At least one function or image.
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
  /// The degree of knowledge about its frames and those of its causes.
  fileprivate var stacks: StackKnowledge {
    inner.reduce(StackKnowledge(frames)) { max($0, $1.stacks) }
  }
}
