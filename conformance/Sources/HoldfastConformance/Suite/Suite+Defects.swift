extension Suite {
    /// Every seeded defect of the adapter contract.
    public static let defects: [Defect] = Defect.text
}
