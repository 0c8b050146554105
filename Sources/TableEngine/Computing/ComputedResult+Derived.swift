import FormulaLanguage
import RowhouseModel

extension FormulaScope {
    /// The only name that the formula of a rollup may use: the cells of a field of the linked records.
    init(valuesOf field: Field) {
        var type = FormulaType(type: field.type, options: field.options)
        while case .array(let item) = type { type = item }
        self.init([Name(id: field.id, name: "values", type: .array(type))])
    }
}

extension ComputedResult {
    /// What one value of a field looks like.
    init(showing field: Field) {
        switch field.options {
        case .formula(let formula): self = formula.result ?? .text
        case .rollup(let rollup): self = rollup.result ?? .text
        case .lookup(let lookup): self = lookup.result ?? .text
        case .count: self = .wholeNumber
        default: self.init(type: field.type, options: field.options)
        }
    }

    /// What a formula of this type yields.
    ///
    /// - Parameters:
    ///   - formats: those of the fields whose values it passes on, where it does nothing else with them.
    ///   - format: what the maker of the field asked for; it counts where it fits.
    init(of type: FormulaType, like formats: [ComputedResult], format: ComputedResult?) {
        if let format, Self.fits(format.type, type) {
            self = format
        } else {
            self = Self.natural(type, formats)
        }
    }

    static let text = Self(type: .singleLineText)
    static let wholeNumber = Self(type: .number, options: .number(precision: 0))

    private static func fits(_ shown: FieldType, _ type: FormulaType) -> Bool {
        switch (shown, type) {
        case (_, .array(let item)): fits(shown, item)
        case (.number, .number), (.percent, .number), (.currency, .number), (.duration, .number): true
        case (.date, .date), (.dateTime, .date): true
        case (.checkbox, .boolean), (.number, .boolean), (.checkbox, .number): true
        default: false
        }
    }

    private static func natural(_ type: FormulaType, _ formats: [ComputedResult]) -> ComputedResult {
        switch type {
        case .blank, .text, .any: return .text
        case .boolean: return .wholeNumber
        case .number(let kind):
            let numbers: Set<FieldType> = [.number, .percent, .currency, .duration]
            if let first = formats.first, numbers.contains(first.type), formats.allSatisfy({ $0.type == first.type }) {
                return first.type == .number ? widest(formats) : first
            }
            return kind == .integer ? .wholeNumber : Self(type: .number, options: .number(precision: 1))
        case .date(let hasTime):
            let wanted: FieldType = hasTime ? .dateTime : .date
            if let format = formats.lazy.compactMap(\.asTime).first(where: { $0.type == wanted }) { return format }
            return hasTime
                ? Self(
                    type: .dateTime,
                    options: .dateTime(DateTimeFormat(date: .iso, time: TimeFormat(name: "24hour"), timeZone: "utc")))
                : Self(type: .date, options: .date(.iso))
        case .array(let item): return natural(item, formats)
        }
    }

    private static func widest(_ formats: [ComputedResult]) -> ComputedResult {
        let precisions = formats.map { format in
            if case .number(let precision) = format.options { precision } else { 0 }
        }
        return Self(type: .number, options: .number(precision: precisions.max() ?? 0))
    }

    /// As a `date` or `dateTime`, where it is any kind of time.
    private var asTime: ComputedResult? {
        switch options {
        case .date, .dateTime: self
        case .createdTime(let result), .lastModifiedTime(_, _, let result):
            switch result {
            case .date(let format): Self(type: .date, options: .date(format))
            case .dateTime(let format): Self(type: .dateTime, options: .dateTime(format))
            }
        default: nil
        }
    }
}
