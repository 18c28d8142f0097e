internal import Bytes
internal import DWARF
internal import ObjectFormats

extension CodeTables {
  /// Reads functions, inlined calls and lines out of the modules of a PDB.
  ///
  /// Damage costs the module it is in and leaves a note; nothing is thrown.
  ///
  /// - Parameter strings: Where the names of the tables will lie.
  /// - Complexity: O(n log n) in the size of the modules.
  static func reading(
    _ file: PDBFile, strings: inout ByteView, limits: DWARFLimits
  ) -> CodeTables {
    let size = file.container.bytes.count
    var builder = CodeTablesBuilder(inputSize: size, limits: limits)
    let items: ItemNames
    do throws(ParseError) {
      items = try ItemNames(file)
    } catch {
      builder.note(error.description)
      items = ItemNames(without: file)
    }
    let names: FileNames
    do throws(ParseError) {
      names = try FileNames(file)
    } catch {
      builder.note(error.description)
      names = FileNames()
    }
    if let damage = items.damage { builder.note(damage.description) }
    let contributions: ContributionMap
    do throws(ParseError) {
      contributions = try ContributionMap(file)
    } catch {
      builder.note(error.description)
      contributions = ContributionMap()
    }
    let budget = size * limits.expansion + limits.slack
    let (modules, damage) = file.readModules()
    if let damage { builder.note(damage.description) }
    var context = PDBContext(
      file: file, builder: builder, items: items, names: names,
      others: CrossModuleItems(modules, budget: budget), moves: budget)
    // Each takes some dozens of bytes in memory, and two or more in the file.
    var reader = ModuleReader(budget: budget, callRanges: size / 4 + limits.slack / 4)
    for (index, module) in modules.enumerated() {
      do throws(ParseError) {
        try reader.read(module, index: index, contributions: contributions, &context)
      } catch {
        context.note(error, module: index)
      }
    }
    if reader.isExhausted {
      context.builder.note("PDB: too many parts of inlined calls; some are left out")
    }
    if context.isExhausted {
      context.builder.note("PDB: code is moved to too many ranges; some are left out")
    }
    return context.finish(strings: &strings)
  }
}
