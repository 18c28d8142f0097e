internal import Bytes
internal import DWARF

/// Lays the inlined calls of one function within each other.
///
/// A PDB shows for each call the lines of its own code. The code of a call within it belongs to it
/// too, with the line of that call; so where a call was made from is the line of the code around it
/// at that location. The tables want a location of the call, so a call whose code lies in several
/// lines of the function around it becomes several.
struct InlineTree: ~Copyable {
  /// Code of a call.
  struct CallRange: BitwiseCopyable {
    var start: UInt32
    /// Exclusive.
    var end: UInt32
    var location: ModuleLines.Location
    /// The scope that it belongs to.
    var scope: UInt32
  }

  private struct Variant: Hashable {
    let parent: UInt32
    let location: ModuleLines.Location
  }

  /// How many more ranges may be made: calls may lie within each other, and each is cut where the
  /// code around it comes from another line.
  private var budget: Int
  private var annotations = Table<InlineAnnotations.LineRange>()

  init(budget: Int) { self.budget = budget }

  var isExhausted: Bool { budget <= 0 }

  /// Adds the calls of `function`, whose own scope has been begun, and puts their lines over those
  /// of the function.
  ///
  /// - Parameter range: The code of the function.
  mutating func add(
    _ function: borrowing ModuleSymbols.Function, scope: UInt32, range: Range<UInt32>,
    _ lines: inout ModuleLines, _ layers: inout LineOverlay, _ context: inout PDBContext
  ) {
    let sites = function.sites
    var callRanges = [[CallRange]](repeating: [], count: sites.count)
    for index in Self.order(of: sites) {
      let site = sites[index]
      guard let inlinee = lines.inlinees[site.item], budget > 0 else { continue }
      annotations.removeAll()
      let isWhole = InlineAnnotations.read(
        site.annotations, file: inlinee.file, line: inlinee.line, into: &annotations)
      if !isWhole {
        context.builder.note(
          "PDB: damaged steps of an inlined call in the function at \(range.lowerBound.hexadecimal)"
        )
      }
      guard !annotations.isEmpty else { continue }
      var made: [CallRange] = []
      if let parent = site.parent {
        cut(from: range, around: callRanges[parent], into: &made, &lines, &context)
      } else {
        cut(from: range, scope: scope, into: &made, &lines, &context)
      }
      var variants: [Variant: UInt32] = [:]
      let callee = context.function(site.item, imports: lines.imports)
      var last: (variant: Variant, scope: UInt32)?
      var settled: [CallRange] = []
      settled.reserveCapacity(made.count)
      for index in stride(from: 0, to: made.count, by: 2) {
        // The code around, then the call's own.
        let around = made[index]
        var own = made[index + 1]
        let variant = Variant(parent: around.scope, location: around.location)
        if let last, last.variant == variant {
          own.scope = last.scope
        } else if let known = variants[variant] {
          own.scope = known
        } else {
          guard
            let scope = context.builder.addCall(
              of: callee, in: around.scope, file: around.location.file, line: around.location.line,
              column: around.location.column)
          else { continue }
          variants[variant] = scope
          own.scope = scope
        }
        last = (variant, own.scope)
        settled.append(own)
      }
      var start = 0
      while start < settled.count {
        var end = start
        while end + 1 < settled.count, settled[end + 1].start == settled[end].end,
          settled[end + 1].scope == settled[start].scope
        { end += 1 }
        context.addCodeRange(
          from: settled[start].start, to: settled[end].end, of: settled[start].scope)
        start = end + 1
      }
      for callRange in settled {
        layers.add(from: callRange.start, to: callRange.end, location: callRange.location)
      }
      callRanges[index] = settled
    }
  }

  /// The order in which calls are added, since of two for the same code the one that was added last
  /// counts: those within a call after it, and of neighbours the first one last.
  private static func order(of sites: [ModuleSymbols.Site]) -> [Int] {
    var children = [[Int]](repeating: [], count: sites.count)
    var pending: [Int] = []
    for (index, site) in sites.enumerated() {
      if let parent = site.parent { children[parent].append(index) } else { pending.append(index) }
    }
    var order: [Int] = []
    order.reserveCapacity(sites.count)
    while let next = pending.popLast() {
      order.append(next)
      pending += children[next]
    }
    return order
  }

  /// Cuts the code of a call, which is in ``annotations``, where the lines of the function change.
  /// Each part becomes two ranges: what is around it, and its own.
  private mutating func cut(
    from range: Range<UInt32>, scope: UInt32, into made: inout [CallRange],
    _ lines: inout ModuleLines, _ context: inout PDBContext
  ) {
    for index in 0..<annotations.count {
      let annotation = annotations[index]
      guard case (var start, let end)? = Self.addresses(of: annotation, in: range) else { continue }
      let own = location(annotation, &lines, &context)
      var row = lines.firstRow(endingAfter: start)
      while start < end, budget > 0 {
        var stop = end
        var around = ModuleLines.Location()
        if row < lines.rows.count {
          let next = lines.rows[row]
          if next.start > start {
            stop = min(end, next.start)
          } else {
            stop = min(end, next.end)
            around = next.location
            row += 1
          }
        }
        made.append(CallRange(start: start, end: stop, location: around, scope: scope))
        made.append(CallRange(start: start, end: stop, location: own, scope: 0))
        budget -= 1
        start = stop
      }
    }
  }

  /// The same where another call is around it; what lies outside that is left out.
  private mutating func cut(
    from range: Range<UInt32>, around outer: [CallRange], into made: inout [CallRange],
    _ lines: inout ModuleLines, _ context: inout PDBContext
  ) {
    var outerIndex = 0
    for index in 0..<annotations.count {
      let annotation = annotations[index]
      guard let (start, end) = Self.addresses(of: annotation, in: range) else { continue }
      while outerIndex < outer.count, outer[outerIndex].end <= start { outerIndex += 1 }
      let own = self.location(annotation, &lines, &context)
      var next = outerIndex
      while next < outer.count, outer[next].start < end, budget > 0 {
        var around = outer[next]
        around.start = max(around.start, start)
        around.end = min(around.end, end)
        made.append(around)
        made.append(CallRange(start: around.start, end: around.end, location: own, scope: 0))
        budget -= 1
        next += 1
      }
      budget -= 1
    }
  }

  private static func addresses(
    of lineRange: InlineAnnotations.LineRange, in range: Range<UInt32>
  ) -> (UInt32, UInt32)? {
    let size = range.upperBound - range.lowerBound
    guard lineRange.start < size else { return nil }
    return (range.lowerBound + lineRange.start, range.lowerBound + min(lineRange.end, size))
  }

  private func location(
    _ lineRange: InlineAnnotations.LineRange, _ lines: inout ModuleLines,
    _ context: inout PDBContext
  ) -> ModuleLines.Location {
    ModuleLines.Location(
      file: lines.file(lineRange.file, &context.names, &context.builder), line: lineRange.line)
  }
}
