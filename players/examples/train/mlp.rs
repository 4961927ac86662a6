//! Training of a network in floating point, with nothing but additions, multiplications, divisions and square roots in a fixed order:
//! every machine gets the same bits.

use rand_chacha::rand_core::Rng;

/// A network with one hidden layer, its gradient and the state of Adam.
pub struct Mlp {
    pub sizes: [usize; 3],
    /// Whether the outputs are shares that add up to 1, or numbers.
    is_share: bool,
    pub weights: Vec<f32>,
    gradient: Vec<f32>,
    mean: Vec<f32>,
    square: Vec<f32>,
    steps: i32,
    hidden: Vec<f32>,
}

/// Inputs with the wanted shares or numbers.
pub struct Sample<const IN: usize, const OUT: usize> {
    pub inputs: [i16; IN],
    pub target: [f32; OUT],
}

const HIDDEN_MAX: f32 = 8.0;

impl Mlp {
    pub fn new(sizes: [usize; 3], is_share: bool, rng: &mut impl Rng) -> Self {
        let [inputs, hidden, outputs] = sizes;
        let count = inputs * hidden + hidden + hidden * outputs + outputs;
        let mut uniform = |scale: f32| (rng.next_u32() as f32 / 4_294_967_296.0 - 0.5) * 2.0 * scale;
        let mut weights = vec![0.0; count];
        for weight in &mut weights[..inputs * hidden] {
            *weight = uniform(0.35);
        }
        let second = inputs * hidden + hidden;
        for weight in &mut weights[second..second + hidden * outputs] {
            *weight = uniform(0.1);
        }
        Self {
            sizes,
            is_share,
            weights,
            gradient: vec![0.0; count],
            mean: vec![0.0; count],
            square: vec![0.0; count],
            steps: 0,
            hidden: vec![0.0; hidden],
        }
    }

    /// Makes one step of Adam with the mean gradient of the samples.
    pub fn step<const IN: usize, const OUT: usize>(&mut self, samples: &[&Sample<IN, OUT>], rate: f32) {
        self.gradient.fill(0.0);
        for sample in samples {
            self.add_gradient(sample);
        }
        self.steps += 1;
        let count = samples.len() as f32;
        let (first, second) = (1.0 - power(0.9, self.steps), 1.0 - power(0.999, self.steps));
        for index in 0..self.weights.len() {
            let gradient = self.gradient[index] / count;
            self.mean[index] = 0.9 * self.mean[index] + 0.1 * gradient;
            self.square[index] = 0.999 * self.square[index] + 0.001 * gradient * gradient;
            let change = rate * (self.mean[index] / first) / ((self.square[index] / second).sqrt() + 1e-8);
            self.weights[index] = (self.weights[index] - change).clamp(-15.0, 15.0);
        }
    }

    fn add_gradient<const IN: usize, const OUT: usize>(&mut self, sample: &Sample<IN, OUT>) {
        let [inputs, hidden, outputs] = self.sizes;
        let mut x = [0.0_f32; IN];
        for (x, &input) in x.iter_mut().zip(&sample.inputs) {
            *x = f32::from(input) / 64.0;
        }
        let (first, rest) = self.weights.split_at(inputs * hidden);
        let (first_bias, rest) = rest.split_at(hidden);
        let (second, second_bias) = rest.split_at(hidden * outputs);
        for unit in 0..hidden {
            let row = &first[unit * inputs..][..inputs];
            // Eight sums side by side: the order is part of the result.
            let mut sums = [0.0_f32; 8];
            for (w, x) in row.chunks_exact(8).zip(x.chunks_exact(8)) {
                for lane in 0..8 {
                    sums[lane] += w[lane] * x[lane];
                }
            }
            self.hidden[unit] = first_bias[unit] + sums.iter().sum::<f32>();
        }
        let mut numbers = [0.0_f32; OUT];
        for (output, number) in numbers.iter_mut().enumerate() {
            *number = second_bias[output];
            for unit in 0..hidden {
                *number += second[output * hidden + unit] * self.hidden[unit].clamp(0.0, HIDDEN_MAX);
            }
        }
        let found = if self.is_share { softmax(numbers) } else { numbers };
        let mut errors = [0.0_f32; OUT];
        for output in 0..OUT {
            errors[output] = found[output] - sample.target[output];
        }
        let (first_gradient, rest) = self.gradient.split_at_mut(inputs * hidden);
        let (first_bias_gradient, rest) = rest.split_at_mut(hidden);
        let (second_gradient, second_bias_gradient) = rest.split_at_mut(hidden * outputs);
        for output in 0..OUT {
            second_bias_gradient[output] += errors[output];
        }
        for unit in 0..hidden {
            let sum = self.hidden[unit];
            let active = sum > 0.0 && sum < HIDDEN_MAX;
            let clipped = sum.clamp(0.0, HIDDEN_MAX);
            let mut back = 0.0;
            for output in 0..OUT {
                second_gradient[output * hidden + unit] += errors[output] * clipped;
                back += errors[output] * second[output * hidden + unit];
            }
            if active {
                first_bias_gradient[unit] += back;
                for (gradient, x) in first_gradient[unit * inputs..][..inputs].iter_mut().zip(&x) {
                    *gradient += back * x;
                }
            }
        }
    }
}

fn power(base: f32, exponent: i32) -> f32 {
    let mut value = 1.0_f64;
    for _ in 0..exponent.min(20_000) {
        value *= f64::from(base);
    }
    value as f32
}

fn softmax<const OUT: usize>(numbers: [f32; OUT]) -> [f32; OUT] {
    let most = numbers.iter().copied().fold(f32::MIN, f32::max);
    let powers = numbers.map(|number| exp(number - most));
    let sum: f32 = powers.iter().sum();
    powers.map(|power| power / sum)
}

/// `exp(x)` for x of at most 0.
fn exp(x: f32) -> f32 {
    let x = x.max(-40.0);
    // exp(x) = exp(x / 64) ^ 64, and the series of exp(x / 64) is short.
    let y = x / 64.0;
    let mut power = 1.0 + y * (1.0 + y * (0.5 + y * (1.0 / 6.0 + y * (1.0 / 24.0 + y / 120.0))));
    for _ in 0..6 {
        power *= power;
    }
    power
}
