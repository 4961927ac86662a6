//! A small neural network in integers, so that it gives the same numbers on every machine.

/// A network with one hidden layer of clipped linear units.
///
/// Inputs are numbers in [`UNIT`]ths. A hidden unit is the weighted sum of the inputs, clipped to 0..=8. An output
/// is the weighted sum of the hidden units, in [`Net::OUTPUT_UNIT`]ths.
pub struct Net<const IN: usize, const HIDDEN: usize, const OUT: usize> {
    first: [[i16; IN]; HIDDEN],
    first_bias: [i32; HIDDEN],
    second: [[i16; HIDDEN]; OUT],
    second_bias: [i32; OUT],
}

/// The integer for 1 in an input.
pub const UNIT: i32 = 64;
/// The integer for 1 in a weight of the first layer.
const FIRST_UNIT: i32 = 512;
/// The integer for 1 in a hidden unit.
const HIDDEN_UNIT: i32 = 128;
/// The integer for 1 in a weight of the second layer.
const SECOND_UNIT: i32 = 2048;
/// The largest hidden unit.
const HIDDEN_MAX: i32 = 8 * HIDDEN_UNIT;

impl<const IN: usize, const HIDDEN: usize, const OUT: usize> Net<IN, HIDDEN, OUT> {
    /// The integer for 1 in an output.
    pub const OUTPUT_UNIT: i32 = HIDDEN_UNIT * SECOND_UNIT;

    /// The size of a file of weights in bytes.
    pub const BYTES: usize = 2 * (IN * HIDDEN + HIDDEN * OUT) + 4 * (HIDDEN + OUT);

    /// Reads a file of weights: the first layer by hidden unit, the second by output, each layer's weights
    /// before its biases. Numbers are signed and little-endian, weights of 16 bits and biases of 32.
    ///
    /// # Panics
    /// If the file does not have [`Net::BYTES`] bytes.
    pub const fn read(file: &[u8]) -> Self {
        assert!(file.len() == Self::BYTES, "the file of weights has another size");
        let mut net = Self {
            first: [[0; IN]; HIDDEN],
            first_bias: [0; HIDDEN],
            second: [[0; HIDDEN]; OUT],
            second_bias: [0; OUT],
        };
        let mut at = 0;
        let mut unit = 0;
        while unit < HIDDEN {
            let mut input = 0;
            while input < IN {
                net.first[unit][input] = i16::from_le_bytes([file[at], file[at + 1]]);
                at += 2;
                input += 1;
            }
            unit += 1;
        }
        unit = 0;
        while unit < HIDDEN {
            net.first_bias[unit] = i32::from_le_bytes([file[at], file[at + 1], file[at + 2], file[at + 3]]);
            at += 4;
            unit += 1;
        }
        let mut output = 0;
        while output < OUT {
            unit = 0;
            while unit < HIDDEN {
                net.second[output][unit] = i16::from_le_bytes([file[at], file[at + 1]]);
                at += 2;
                unit += 1;
            }
            output += 1;
        }
        output = 0;
        while output < OUT {
            net.second_bias[output] =
                i32::from_le_bytes([file[at], file[at + 1], file[at + 2], file[at + 3]]);
            at += 4;
            output += 1;
        }
        net
    }

    /// Returns the outputs for these inputs.
    #[inline]
    pub fn outputs(&self, inputs: &[i16; IN]) -> [i32; OUT] {
        let mut sums = self.first_bias;
        for (sums, rows) in sums.chunks_mut(4).zip(self.first.chunks(4)) {
            if let ([a, b, c, d], [w, x, y, z]) = (sums, rows) {
                let more = four_dots([w, x, y, z], inputs);
                for (sum, more) in [a, b, c, d].into_iter().zip(more) {
                    *sum = sum.wrapping_add(more);
                }
            }
        }
        let mut hidden = [0; HIDDEN];
        for (unit, sum) in hidden.iter_mut().zip(sums) {
            *unit = (sum / (UNIT * FIRST_UNIT / HIDDEN_UNIT)).clamp(0, HIDDEN_MAX) as i16;
        }
        let mut outputs = self.second_bias;
        for (output, weights) in outputs.iter_mut().zip(&self.second) {
            *output = output.wrapping_add(dot(weights, &hidden));
        }
        outputs
    }
}

/// Returns the sum of the products. Weights are trained so that it does not overflow.
///
/// Not inlined: where the length is known, the compiler unrolls the loop before it finds the wide instructions.
#[inline(never)]
pub(crate) fn dot(weights: &[i16], values: &[i16]) -> i32 {
    weights.iter().zip(values).fold(0_i32, |sum, (&w, &v)| sum.wrapping_add(i32::from(w) * i32::from(v)))
}

/// Returns four sums of products at once, which loads the values once.
#[inline(never)]
fn four_dots([w, x, y, z]: [&[i16]; 4], values: &[i16]) -> [i32; 4] {
    let mut sums = [0_i32; 4];
    for ((((&value, &w), &x), &y), &z) in values.iter().zip(w).zip(x).zip(y).zip(z) {
        let value = i32::from(value);
        sums[0] = sums[0].wrapping_add(i32::from(w) * value);
        sums[1] = sums[1].wrapping_add(i32::from(x) * value);
        sums[2] = sums[2].wrapping_add(i32::from(y) * value);
        sums[3] = sums[3].wrapping_add(i32::from(z) * value);
    }
    sums
}

/// The weights of a network as it is trained, in the order of a file: see [`Net::read`].
pub fn quantise([inputs, hidden, outputs]: [usize; 3], weights: &[f32], write: &mut dyn FnMut(&[u8])) {
    let (first, rest) = weights.split_at(inputs * hidden);
    let (first_bias, rest) = rest.split_at(hidden);
    let (second, second_bias) = rest.split_at(hidden * outputs);
    let mut layer = |weights: &[f32], biases: &[f32], unit: i32, sum_unit: i32| {
        for &weight in weights {
            write(&(rounded(weight * unit as f32) as i16).to_le_bytes());
        }
        for &bias in biases {
            write(&rounded(bias * sum_unit as f32).to_le_bytes());
        }
    };
    layer(first, first_bias, FIRST_UNIT, UNIT * FIRST_UNIT);
    layer(second, second_bias, SECOND_UNIT, HIDDEN_UNIT * SECOND_UNIT);
}

/// Returns the nearest integer, within 16 bits for weights by the clipping of the trainer.
fn rounded(number: f32) -> i32 {
    (if number < 0.0 { number - 0.5 } else { number + 0.5 }) as i32
}
