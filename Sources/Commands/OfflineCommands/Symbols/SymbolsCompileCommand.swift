internal import AddressLookUp
package import Arguments
internal import Bytes
internal import SymbolCache
internal import SymbolSources
internal import Terminal
internal import Workers

/// `mayday symbols compile`
package struct SymbolsCompileCommand: Command {
  package static let name = "compile"
  package static let summary = "Compile a debug file into a symbol cache."
  package static let discussion = """
    Mayday compiles symbol caches when it needs them; this command is for scripts and \
    measurements. The same debug file always gives the same bytes, whatever the number of threads.
    """
  package static let examples = [
    Example("mayday symbols compile build/tern -o tern.symcache", "One program."),
    Example(
      "mayday symbols compile Tern.dSYM -a arm64 -o tern.symcache --threads 1",
      "One architecture of a dSYM bundle, on one thread."),
  ]

  @Argument("FILE", help: "The program, library, debug file or dSYM bundle.") var path: String
  @Option("-o", "--output", help: "Output file for the symbol cache.", value: "OUT")
  var output: String?
  @Option("-a", "--arch", help: "The architecture to use from a universal file.", value: "ARCH")
  var architecture: String?
  @Option(
    "--threads", help: "Number of threads; by default one per processor.", value: "N")
  var threads: Int?

  package init() {}

  package func validate() throws(UsageError) {
    if output == nil { throw UsageError("--output OUT is missing") }
    if let threads, threads < 1 { throw UsageError("--threads must be 1 or more") }
  }

  package func run() throws {
    AllocatorTuning.keep()
    try InputPaths.check([path])
    let file = try LookUpTarget.find(path, architecture: architecture).file
    var options = CacheOptions()
    options.width = min(threads ?? Workers.processorCount, CacheOptions.mostThreads)
    let compiled = try SymbolCache.compiling(
      file.object, supplementary: file.supplementary, options: options)
    let console = Console(colour: .auto)
    for note in compiled.notes { console.warn("\(file.path): \(note)".printable) }
    // Freeing a large debug file takes as long as writing its cache.
    let input = Handover(consume file)
    let closing = Background(isOn: options.width > 1) { _ = input.take() }
    try OutputFile.write(compiled.parts, to: output ?? "")
    closing.value()
  }
}
