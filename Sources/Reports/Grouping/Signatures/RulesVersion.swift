internal import Bytes
internal import CRules

/// The rules of one version.
///
/// Another version is another `static let`, with lists and a file of its own.
final class RulesVersion: Sendable {
  /// `v1`, as signatures and keys have it.
  let name: String
  let lists: [RuleList]
  let file: RuleFile
  /// Gives a class by name.
  let classes: PatternTable
  let swift: SwiftLibraryNames
  let handled: PatternTable
  let idle: PatternTable
  let memory: PatternTable
  let extend: PatternTable
  let images: PatternTable
  let libraries: PatternTable
  let runtimes: PatternTable
  let messages: PatternTable
  let tests: PatternTable
  let fileLocks: PatternTable
  let crumbs: PatternTable
  let packages: PatternTable

  static let v1 = RulesVersion("v1", RuleLists.v1, embedded)

  private static var embedded: ByteView {
    var size = 0
    let bytes = unsafe crules_v1(&size)
    // It is part of the program, and stays.
    return unsafe ByteView(taking: UnsafeRawBufferPointer(start: bytes, count: size)) { _ in }
  }

  /// The version without the named list; `nil` if it has none of that name.
  func without(_ list: String) -> RulesVersion? {
    guard lists.contains(where: { $0.name == list }) else { return nil }
    let left = lists.indices.filter { lists[$0].name != list }
    let texts = left.map { NameBytes((file.text(of: $0) + "\n").utf8) }
    let others = left.map { lists[$0] }
    return RulesVersion(name, others, ByteView(RuleCompiler.compile(name, others, texts)))
  }

  private init(_ name: String, _ lists: [RuleList], _ compiled: ByteView) {
    self.name = name
    self.lists = lists
    let file = RuleFile(compiled)
    self.file = file
    classes = PatternTable(.classes, of: file)
    swift = SwiftLibraryNames(file)
    handled = PatternTable(.handled, of: file)
    idle = PatternTable(.idle, of: file)
    memory = PatternTable(.memory, of: file)
    extend = PatternTable(.extend, of: file)
    images = PatternTable(.images, of: file)
    libraries = PatternTable(.libraries, of: file)
    runtimes = PatternTable(.runtimes, of: file)
    messages = PatternTable(.messages, of: file)
    tests = PatternTable(.tests, of: file)
    fileLocks = PatternTable(.fileLocks, of: file)
    crumbs = PatternTable(.crumbs, of: file)
    packages = PatternTable(.packages, of: file)
  }
}
