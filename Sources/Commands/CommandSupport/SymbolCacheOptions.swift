package import Arguments

/// Where compiled debug files are kept between runs of a command without a store.
package struct SymbolCacheOptions {
  @Option(
    "--cache", help: "Keep compiled debug files in this folder, for other runs and processes.",
    value: "DIR")
  package var folder: String?

  package init() {}
}
